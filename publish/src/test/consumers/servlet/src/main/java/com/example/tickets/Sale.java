package com.example.tickets;

import dev.orderly.Orderly;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.Rooms;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.servlet.room.RoomFilter;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** A site of tickets in Tomcat, behind a room for one visitor. */
public final class Sale implements AutoCloseable {
    private final Tomcat tomcat = new Tomcat();
    private final Rooms rooms;

    public Sale(Orderly orderly, byte[] secret, String folder) throws LifecycleException {
        rooms = orderly.rooms(TokenKeys.of(List.of(secret)));
        RoomFilter filter = filter(new RoomName("sale"));
        rooms.start();

        tomcat.setBaseDir(folder);
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.addContext("", null).addServletContainerInitializer((_, servlets) -> {
            var room = servlets.addFilter("room", filter);
            room.setAsyncSupported(true);
            room.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
            var site = servlets.addServlet("site", new Site());
            site.setAsyncSupported(true);
            site.addMapping("/");
        }, Set.of());
        tomcat.start();
    }

    private RoomFilter filter(RoomName sale) {
        Room room = rooms.declare(sale, RoomOptions.of(new Limits(1, null)));
        return new RoomFilter(List.of(GatedRoom.of(room, RoomMatch.of("/tickets/**"),
                new WaitingPage(sale, PageLook.titled("The sale"), PageTemplate.standard()))));
    }

    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void close() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
        rooms.close();
    }

    private static final class Site extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().write("a ticket");
        }
    }
}
