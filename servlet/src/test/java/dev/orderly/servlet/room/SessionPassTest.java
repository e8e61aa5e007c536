package dev.orderly.servlet.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.servlet.Container;
import dev.orderly.servlet.RoomApp;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.room.RoomMatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stays that end with the session of the visitor. */
class SessionPassTest {
    private static RoomApp app(Container.Kind kind, boolean ends) {
        RoomApp app = new RoomApp(kind, "", RoomFilterOptions.defaults().withEndBySession(ends),
                RoomMatch.of("/tickets/**"));
        app.does((request, _) -> {
            if (request.getRequestURI().endsWith("/logout")) {
                request.getSession().invalidate();
            } else {
                request.getSession();
            }
        });
        return app;
    }

    @ParameterizedTest
    @EnumSource(Container.Kind.class)
    void aLogoutEndsTheStayAndTheNextVisitorEnters(Container.Kind kind) {
        try (RoomApp app = app(kind, true)) {
            Guest first = Guest.inside(app);
            Guest second = new Guest(app);
            assertThat(second.get("/tickets/").statusCode()).isEqualTo(503);

            assertThat(first.get("/logout").statusCode()).isEqualTo(200);
            app.pass(2);

            assertThat(second.get("/tickets/").statusCode()).isEqualTo(200);
            assertThat(first.get("/tickets/").statusCode()).isEqualTo(503);
        }
    }

    @Test
    void withoutTheSettingAStayEndsByItself() {
        try (RoomApp app = app(Container.Kind.TOMCAT, false)) {
            Guest first = Guest.inside(app);
            first.get("/logout");
            app.pass(2);

            assertThat(first.get("/tickets/").statusCode()).isEqualTo(200);
        }
    }
}
