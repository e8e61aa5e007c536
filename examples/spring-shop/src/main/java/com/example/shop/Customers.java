package com.example.shop;

import dev.orderly.servlet.live.LiveUsers;
import dev.orderly.user.UserId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Component;

/**
 * Customers, who need no account: a session is a customer from its first order on. The id is random and never leaves
 * the server. Jobs, live messages and pages of orders belong to it.
 */
@Component
class Customers implements LiveUsers {
    private static final String ID = "customer";

    @Override
    public Optional<UserId> of(HttpServletRequest request) {
        return Optional.ofNullable(request.getSession(false)).map(session -> (String) session.getAttribute(ID))
                .map(UserId::new);
    }

    UserId ofOrNew(HttpServletRequest request) {
        return of(request).orElseGet(() -> {
            HttpSession session = request.getSession();
            session.setAttribute(ID, UUID.randomUUID().toString());
            return of(request).orElseThrow();
        });
    }
}
