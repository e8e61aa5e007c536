package dev.orderly.config;

import dev.orderly.access.control.AccessOptions;
import dev.orderly.http.access.LocalUsers;
import dev.orderly.http.access.ProxyAccess;
import java.util.List;

/**
 * The settings of access to the API.
 *
 * @param hosts further names under which the API answers
 * @param proxy the proxies in front of the API, and the users that they name
 */
public record AccessConfig(LocalUsers local, List<String> hosts, ProxyAccess proxy, AccessOptions options) {
    public AccessConfig {
        hosts = List.copyOf(hosts);
    }
}
