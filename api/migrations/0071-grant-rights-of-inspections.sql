-- Up Migration

-- Inspections, inspection review, scale certificates, plate access, exchange, offenders, alarm shelving. Rights can only
-- be granted by users who hold them, so the administrator role gets all.
update role
set permissions = permissions || array(
      select added
      from unnest(array['ROLE_41','ROLE_42','ROLE_43','ROLE_44','ROLE_45','ROLE_46','ROLE_47']) with ordinality as a (added, place)
      where not added = any(permissions)
      order by place
    )
where id = 8;
