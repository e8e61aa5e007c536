package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresOptionsTest {
    @Test
    void anAddressSetsEveryOption() {
        assertThat(PostgresOptions.at("postgres://ann%40x:p%3Aw+%2F@db.example:6432/shop?schema=lines&connections=20"
                + "&sslmode=require&targetServerType=primary"))
                .isEqualTo(PostgresOptions
                        .at("jdbc:postgresql://db.example:6432/shop?sslmode=require&targetServerType=primary")
                        .withCredentials("ann@x", "p:w+/").withSchema("lines").withConnections(20));
    }

    @Test
    void optionsMissingInAnAddressHaveDefaults() {
        assertThat(PostgresOptions.at("postgresql://db/shop"))
                .isEqualTo(PostgresOptions.at("jdbc:postgresql://db/shop"));
        assertThat(PostgresOptions.at("postgres://ann@db/shop").user()).isEqualTo("ann");
        assertThat(PostgresOptions.at("jdbc:postgresql://db/shop?user=ann").url())
                .isEqualTo("jdbc:postgresql://db/shop?user=ann");
    }

    @Test
    void anAddressOfSeveralServersLeadsToThePrimary() {
        PostgresOptions several = PostgresOptions
                .at("postgres://ann:p%2Cw@one:5433,two_2,[::1]:5434/shop?schema=lines");
        assertThat(several.url()).isEqualTo("jdbc:postgresql://one:5433,two_2,[::1]:5434/shop");
        assertThat(several.password()).isEqualTo("p,w");
        assertThat(several.choice()).containsExactly(Map.entry("targetServerType", "primary"));
        assertThat(PostgresOptions.at("postgres://db/shop?options=-c%20a,b").choice()).isEmpty();
        assertThat(PostgresOptions.at("postgres://a,b/shop?target_session_attrs=read-write").url())
                .isEqualTo("jdbc:postgresql://a,b/shop?targetServerType=primary");
        assertThat(PostgresOptions.at("postgres://a,b/shop?target_session_attrs=any").url())
                .isEqualTo("jdbc:postgresql://a,b/shop?targetServerType=preferPrimary");
        assertThat(PostgresOptions.at("jdbc:postgresql://a,b/shop?user=ann").choice()).isNotEmpty();
        assertThat(PostgresOptions.at("jdbc:postgresql://db/shop,lines").choice()).isEmpty();
    }

    @Test
    void anAddressMayNameAnyNumberOfServers() {
        String servers = String.join(",", Collections.nCopies(20_000, "db:5432"));
        assertThat(PostgresOptions.at("postgres://" + servers + "/shop").url())
                .isEqualTo("jdbc:postgresql://" + servers + "/shop");
    }

    @Test
    void anAddressThatAsksForAStandbyIsRefused() {
        assertThatThrownBy(() -> PostgresOptions.at("postgres://a,b/shop?target_session_attrs=standby"))
                .hasMessageContaining("use primary, read-write or any");
        for (String url : List.of("postgres://a,b/shop?targetServerType=secondary",
                "jdbc:postgresql://a,b/shop?targetServerType=standby")) {
            assertThatThrownBy(() -> PostgresOptions.at(url)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("use primary, preferPrimary or any");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres://ann:hunter2@db,/x", "postgres://ann:hunter2@,db/x",
            "postgres://ann:hunter2@a:1,b:x/c", "postgres://ann:hunter2@a/x?targetServerType=any"
                    + "&target_session_attrs=any",
            "postgres://ann:hunter2@db", "postgres://ann:hunter2@db/", "postgres://ann:hunter2@db/a/b",
            "postgres://ann:hunter2@/x", "postgres://ann:hunter2^@db/x", "mysql://ann:hunter2@db/x",
            "postgres://ann:hunter2@db/x#y", "postgres://ann:hunter2@db/x?schema=Big", "postgres://ann:hunter2@db/x?a",
            "postgres://ann:hunter2@db/x?connections=0", "postgres://ann:hunter2@db/x?a=1&a=2",
            "postgres://db:65536/x?password=hunter2", "jdbc:postgresql://db:x/y?password=hunter2",
            "jdbc:postgresql://ann:hunter2@db/x", "jdbc:postgresql://db/x?password=hunter2%"})
    void aMalformedAddressIsRefusedWithoutNamingThePassword(String url) {
        assertThatThrownBy(() -> PostgresOptions.at(url)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void aPasswordIsNeverPartOfTheText() {
        assertThat(PostgresOptions.at("postgres://ann:hunter2@db/shop").toString())
                .isEqualTo("postgresql://db/shop schema orderly_store");
    }
}
