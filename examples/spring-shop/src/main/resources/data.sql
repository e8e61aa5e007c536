INSERT INTO stock (product, pieces) VALUES ('MUG', 40), ('BOWL', 25), ('VASE', 12), ('JAR', 6) ON CONFLICT DO NOTHING;
