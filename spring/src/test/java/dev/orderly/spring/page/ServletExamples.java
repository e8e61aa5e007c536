package dev.orderly.spring.page;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.access.Role;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.dashboard.Dashboard;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.Rooms;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.servlet.dashboard.DashboardAccess;
import dev.orderly.servlet.dashboard.DashboardServlet;
import dev.orderly.servlet.dashboard.RoomPreviews;
import dev.orderly.servlet.live.LiveServlet;
import dev.orderly.servlet.live.LiveUsers;
import dev.orderly.servlet.room.RoomFilter;
import dev.orderly.servlet.room.RoomVisit;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import org.springframework.context.annotation.Bean;

/** The examples of docs/servlet.md, word for word; {@link PageExamplesTest} compares them. Never instantiated. */
@SuppressWarnings("unused")
abstract class ServletExamples {
    abstract Optional<UserId> user(HttpServletRequest request);

    Filter rooms(Orderly orderly, byte[] secret) {
        RoomName sale = new RoomName("sale");
        Rooms rooms = orderly.rooms(TokenKeys.of(List.of(secret)));
        Room room = rooms.declare(sale, RoomOptions.of(new Limits(200, null)));
        rooms.start();

        RoomFilter filter = new RoomFilter(List.of(GatedRoom.of(room, RoomMatch.of("/tickets/**"),
                new WaitingPage(sale, PageLook.titled("The sale"), PageTemplate.standard()))));
        return filter;
    }

    void bought(HttpServletRequest request) {
        RoomVisit.of(request).ifPresent(RoomVisit::end);
    }

    Servlet dashboard(Store store, Orderly orderly, Rooms rooms, RoomFilter filter) {
        AccessControl access = new AccessControl(store.credentials(), store.audit(), store.clock(Time.system()),
                AccessOptions.DEFAULT);
        access.start();
        DashboardServlet dashboard = new DashboardServlet("/internal/orderly",
                new Dashboard.Sources(orderly, rooms, access.audit())
                        .withPreviews(RoomPreviews.of(rooms, filter.rooms())), // the waiting pages as visitors see them
                DashboardAccess.byRole(
                        request -> request.isUserInRole("OPS") ? Optional.of(Role.OPERATOR) : Optional.empty()),
                Time.system());
        return dashboard;
    }

    Servlet live(Orderly orderly) {
        LiveServlet live = new LiveServlet(orderly, request -> user(request), Time.system());
        return live;
    }

    @Bean
    DashboardAccess viewers() {
        return DashboardAccess.byRole(
                request -> request.isUserInRole("OPS") ? Optional.of(Role.OPERATOR) : Optional.empty());
    }

    @Bean
    LiveUsers liveUsers() {
        return request -> Optional.ofNullable(request.getRemoteUser()).map(UserId::new);
    }
}
