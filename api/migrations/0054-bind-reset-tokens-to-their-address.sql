-- Up Migration

-- A token works only for the address to which it was sent. Of the tokens that exist the address is not known; they
-- live 30 minutes, so their owners ask for another.
delete from reset_token;
alter table reset_token add column email text not null;
