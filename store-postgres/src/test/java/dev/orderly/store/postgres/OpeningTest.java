package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.store.StoreException;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Opening of schemas, and the errors of schemas that cannot be opened. */
class OpeningTest {
    private final PostgresOptions options = Server.fresh();

    @AfterEach
    void drop() {
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @Test
    void aSchemaOfANewerVersionIsRefused() {
        PostgresStore.open(options, new Random(7)).close();
        Server.run("UPDATE " + options.schema() + ".meta SET version = 99");
        assertThatThrownBy(() -> PostgresStore.open(options, new Random(7))).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("version 99").hasMessageContaining(options.schema());
    }

    @Test
    void theFunctionsOfAnOlderVersionAreReplaced() {
        String schema = options.schema();
        PostgresStore.open(options, new Random(7)).close();
        Server.run("CREATE FUNCTION " + schema + ".room_of_old() RETURNS int LANGUAGE sql AS 'SELECT 1'");
        Server.run("DROP FUNCTION " + schema + ".room_renew");
        Server.run("UPDATE " + schema + ".meta SET version = 3");
        PostgresStore.open(options, new Random(7)).close();
        assertThat(Server.count("SELECT count(*) FROM pg_proc WHERE pronamespace = '" + schema
                + "'::regnamespace AND proname = 'room_renew'")).isOne();
        assertThat(Server.count("SELECT count(*) FROM pg_proc WHERE pronamespace = '" + schema
                + "'::regnamespace AND proname = 'room_of_old'")).isZero();
    }

    @Test
    void aSchemaOfAnotherProgramIsRefusedAndLeftAlone() {
        Server.run("CREATE SCHEMA " + options.schema());
        Server.run("CREATE TABLE " + options.schema() + ".orders(id int)");
        assertThatThrownBy(() -> PostgresStore.open(options, new Random(7))).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("another program");
        assertThat(Server.count("SELECT count(*) FROM pg_tables WHERE schemaname = '" + options.schema() + "'"))
                .isEqualTo(1);
    }

    @Test
    void aNameThatIsNoSchemaIsRefused() {
        for (String name : new String[]{"", "Orderly", "a b", "1a", "pg_catalog", "x\"; DROP TABLE y",
                "a".repeat(64)}) {
            assertThatThrownBy(() -> options.withSchema(name)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"" + name + "\"");
        }
    }

    @Test
    void aPasswordIsNeverPartOfTheName() {
        assertThat(PostgresOptions.at("jdbc:postgresql://ann:secret@db:5432/shop?user=ann&password=secret"))
                .hasToString("postgresql://db:5432/shop schema orderly");
        assertThat(new PostgresOptions("jdbc:postgresql://db/shop", "ann", "secret", "orderly", 3).toString())
                .doesNotContain("secret");
    }
}
