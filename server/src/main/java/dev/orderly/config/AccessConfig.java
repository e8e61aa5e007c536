package dev.orderly.config;

import dev.orderly.access.control.AccessOptions;
import dev.orderly.http.access.ProxyAccess;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of access to the API.
 *
 * @param local whether the server writes a credential for its own user
 * @param hosts further names under which the API answers
 * @param proxy the proxies in front of the API, and the users that they name; without their secret
 * @param proxySecret the place of that secret; null if no proxy names users
 */
public record AccessConfig(boolean local, List<String> hosts, ProxyAccess proxy, @Nullable SecretLocation proxySecret,
        AccessOptions options) {
    public AccessConfig {
        hosts = List.copyOf(hosts);
    }
}
