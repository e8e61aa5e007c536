package dev.orderly.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.access.Role;
import dev.orderly.access.control.AccessOptions;
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
    void withoutSettingsTheLocalCredentialAndTokensCount() {
        assertThat(read("")).isEqualTo(new AccessConfig(true, List.of(),
                new ProxyAccess(TrustedProxies.NONE, null, null, Role.VIEWER, null), null,
                AccessOptions.DEFAULT));
    }

    @Test
    void everySettingIsRead() {
        AccessConfig config = read("""
                admin:
                  host: 10.0.0.5
                  local-access: false
                  hosts: [Admin.Example]
                  trusted-proxies: [10.0.0.2]
                  proxy-user-header: X-User
                  proxy-role-header: X-Groups
                  proxy-role: none
                  proxy-secret-env: PROXY
                  session-idle: 10m
                  session-max: 1h
                keep: { audit: 30d }
                """);
        assertThat(config).isEqualTo(new AccessConfig(false, List.of("admin.example"),
                new ProxyAccess(TrustedProxies.of("10.0.0.2"), "X-User", "X-Groups", null, null),
                new SecretLocation.Variable("PROXY"),
                new AccessOptions(Duration.ofMinutes(10), Duration.ofHours(1), Duration.ofDays(30))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "admin: { host: 0.0.0.0 }|admin.host|tokens would be shown",
            "admin: { proxy-user-header: X-User, proxy-secret-env: P }|admin.proxy-user-header|No proxy is trusted",
            "admin: { trusted-proxies: [127.0.0.1], proxy-user-header: X }|admin.proxy-user-header|nothing proves",
            "admin: { trusted-proxies: [127.0.0.1], proxy-user-header: X, proxy-secret-env: P, proxy-secret-file: p }"
                    + "|admin.proxy-user-header|only one can count",
            "admin: { trusted-proxies: [10.0.0.1], proxy-role-header: X }|admin.proxy-role-header|without a user",
            "admin: { session-idle: 2h, session-max: 1h }|admin.session-idle|longer than",
            "admin: { session-idle: 1m }|admin.session-idle|5m to 7d",
            "admin: { proxy-role: worker }|admin.proxy-role|viewer, operator, admin",
            "admin: { local-access: root }|admin.local-access|true or false",
            "queues: { a: { handler: \"http://localhost:8081/x\" } }|queues.a.handler|own API",
            "queues: { a: { handler: \"http://[::1]:8081/x\" } }|queues.a.handler|own API",
            "alerts: { url: \"http://127.0.0.1:8081/api/v1\" }|alerts.url|own API",
            "admin: { hosts: [\"a b\"] }|admin.hosts|name of a host"})
    void aWrongSettingIsNamedWithItsRule(String line, String key, String rule) {
        assertThat(problems(line)).singleElement().asString().contains(key).contains(rule);
    }
}
