package dev.orderly.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.access.Role;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.http.access.LocalUsers;
import dev.orderly.http.access.ProxyAccess;
import dev.orderly.web.edge.TrustedProxies;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessConfigTest extends ConfigTrial {
    AccessConfigTest() {
        super("store: sqlite:orderly.db\nedge: { port: 0 }\n");
    }

    private AccessConfig read(String rest) {
        return valid(rest).access();
    }

    @Test
    void withoutSettingsOnlyLocalUsersAndTokensCount() {
        assertThat(read("")).isEqualTo(new AccessConfig(LocalUsers.OWN, List.of(),
                new ProxyAccess(TrustedProxies.NONE, null, null, Role.VIEWER),
                AccessOptions.DEFAULT));
    }

    @Test
    void everySettingIsRead() {
        AccessConfig config = read("""
                admin:
                  host: 10.0.0.5
                  local-users: none
                  hosts: [Admin.Example]
                  trusted-proxies: [10.0.0.2]
                  proxy-user-header: X-User
                  proxy-role-header: X-Groups
                  proxy-role: none
                  session-idle: 10m
                  session-max: 1h
                keep: { audit: 30d }
                """);
        assertThat(config).isEqualTo(new AccessConfig(LocalUsers.NONE, List.of("admin.example"),
                new ProxyAccess(TrustedProxies.of("10.0.0.2"), "X-User", "X-Groups", null),
                new AccessOptions(Duration.ofMinutes(10), Duration.ofHours(1), Duration.ofDays(30))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "admin: { host: 0.0.0.0 }|admin.host|tokens would be shown",
            "admin: { proxy-user-header: X-User }|admin.proxy-user-header|No proxy is trusted",
            "admin: { trusted-proxies: [10.0.0.1], proxy-role-header: X }|admin.proxy-role-header|without a user",
            "admin: { session-idle: 2h, session-max: 1h }|admin.session-idle|longer than",
            "admin: { session-idle: 1m }|admin.session-idle|5m to 7d",
            "admin: { proxy-role: worker }|admin.proxy-role|viewer, operator, admin",
            "admin: { local-users: root }|admin.local-users|own or any or none",
            "admin: { hosts: [\"a b\"] }|admin.hosts|name of a host"})
    void aWrongSettingIsNamedWithItsRule(String line, String key, String rule) {
        assertThat(problems(line)).singleElement().asString().contains(key).contains(rule);
    }
}
