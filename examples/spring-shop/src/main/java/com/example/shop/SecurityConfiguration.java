package com.example.shop;

import dev.orderly.access.Role;
import dev.orderly.servlet.dashboard.DashboardAccess;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** The shop is open to everybody, the dashboard to the staff. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {
    private static final String STAFF = "OPS";
    private static final String DASHBOARD = "/ops/**";

    @Bean
    SecurityFilterChain security(HttpSecurity http) {
        return http
                .authorizeHttpRequests(
                        paths -> paths.requestMatchers(DASHBOARD).hasRole(STAFF).anyRequest().permitAll())
                .csrf(csrf -> csrf.ignoringRequestMatchers(DASHBOARD)) // it brings its own protection
                .headers(headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(
                        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")))
                .formLogin(login -> login.loginPage("/login")).build();
    }

    /** Without this bean the dashboard is closed to everybody. */
    @Bean
    DashboardAccess viewers() {
        return DashboardAccess.byRole(
                request -> request.isUserInRole(STAFF) ? Optional.of(Role.OPERATOR) : Optional.empty());
    }
}
