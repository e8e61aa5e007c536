package dev.orderly.spring.web;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.dashboard.Dashboard;
import dev.orderly.room.gate.Rooms;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.servlet.dashboard.DashboardAccess;
import dev.orderly.servlet.dashboard.DashboardServlet;
import dev.orderly.servlet.dashboard.RoomPreviews;
import dev.orderly.servlet.live.LiveServlet;
import dev.orderly.servlet.live.LiveUsers;
import dev.orderly.servlet.room.RoomFilter;
import dev.orderly.spring.boot.OrderlyAutoConfiguration;
import dev.orderly.spring.config.OrderlyProperties;
import dev.orderly.time.Time;
import dev.orderly.web.room.BacklogSignal;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomUsers;
import jakarta.servlet.DispatcherType;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Parts of Orderly that answer requests of a servlet application: rooms ({@code orderly.rooms}), the dashboard
 * ({@code orderly.dashboard.path}) and live connections ({@code orderly.live.path}). Each is there only if its property
 * is, and gives way to a bean of the application. A part that is configured and has no store fails the start: a room
 * that is silently absent would protect nothing.
 */
@AutoConfiguration(after = OrderlyAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(RoomFilter.class)
@ConditionalOnBooleanProperty(name = "orderly.enabled", matchIfMissing = true)
@EnableConfigurationProperties(OrderlyProperties.class)
public class OrderlyServletAutoConfiguration {
    @Bean
    StreamsLifecycle orderlyStreamsLifecycle(ObjectProvider<FilterRegistrationBean<?>> filters,
            ObjectProvider<ServletRegistrationBean<?>> servlets) {
        return new StreamsLifecycle(filters, servlets);
    }

    /** Rooms in front of paths. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnRooms.class)
    static class GatedPaths {
        @Bean
        @ConditionalOnMissingBean
        RoomSettings orderlyRoomSettings(OrderlyProperties properties) {
            return RoomSettings.of(properties);
        }

        @Bean
        @ConditionalOnMissingBean
        Rooms orderlyRooms(RoomSettings settings, Orderly orderly) {
            return orderly.rooms(settings.keys());
        }

        /** The rooms start once they are declared, before the server takes requests, and closes after it. */
        @Bean
        @ConditionalOnMissingBean
        RoomFilter orderlyRoomFilter(Rooms rooms, RoomSettings settings, Orderly orderly,
                ObjectProvider<RoomUsers> users) {
            List<GatedRoom> gated = settings.declare(rooms,
                    new BacklogSignal(orderly.engines().jobs(), Time.system())::of,
                    users.getIfUnique());
            rooms.start();
            return new RoomFilter(gated, settings.options());
        }

        @Bean
        @ConditionalOnMissingBean(name = "orderlyRoomFilterRegistration")
        FilterRegistrationBean<RoomFilter> orderlyRoomFilterRegistration(RoomFilter filter,
                OrderlyProperties properties) {
            FilterRegistrationBean<RoomFilter> registration = new FilterRegistrationBean<>(filter);
            registration.setOrder(properties.getRoomFilter().order());
            registration.addUrlPatterns("/*");
            registration.setDispatcherTypes(DispatcherType.REQUEST);
            registration.setAsyncSupported(true);
            return registration;
        }
    }

    /** The dashboard under a path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Dashboard.class)
    @ConditionalOnProperty("orderly.dashboard.path")
    static class MountedDashboard {
        /** Keeps and prunes the audit log. */
        @Bean(initMethod = "start", destroyMethod = "close")
        @ConditionalOnMissingBean
        AccessControl orderlyAccessControl(Store store) {
            return new AccessControl(store.credentials(), store.audit(), store.clock(Time.system()),
                    AccessOptions.DEFAULT);
        }

        /** Nobody may see the dashboard until the application says who. */
        @Bean
        @ConditionalOnMissingBean
        DashboardAccess orderlyDashboardAccess() {
            return DashboardAccess.CLOSED;
        }

        @Bean
        @ConditionalOnMissingBean(name = "orderlyDashboard")
        ServletRegistrationBean<DashboardServlet> orderlyDashboard(Orderly orderly,
                ObjectProvider<Rooms> rooms, ObjectProvider<RoomFilter> filter, AccessControl access,
                DashboardAccess viewers, OrderlyProperties properties) {
            String path = Objects.requireNonNull(properties.getDashboard().path());
            // Without rooms of this application the page of rooms is empty: nothing is ever signed.
            Rooms shown = rooms.getIfAvailable(
                    () -> orderly.rooms(TokenKeys.of(List.of(new byte[TokenKeys.SECRET_MIN]))));
            Dashboard.Sources sources = new Dashboard.Sources(orderly, shown, access.audit())
                    .withPreviews(
                            RoomPreviews.of(shown, filter.stream().flatMap(each -> each.rooms().stream()).toList()));
            ServletRegistrationBean<DashboardServlet> registration = new ServletRegistrationBean<>(
                    new DashboardServlet(path, sources, viewers, Time.system()), path + "/*");
            registration.setAsyncSupported(true);
            return registration;
        }
    }

    /** Live connections at a path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty("orderly.live.path")
    static class Live {
        @Bean
        @ConditionalOnMissingBean(name = "orderlyLive")
        ServletRegistrationBean<LiveServlet> orderlyLive(Orderly orderly, ObjectProvider<LiveUsers> users,
                OrderlyProperties properties) {
            ServletRegistrationBean<LiveServlet> registration = new ServletRegistrationBean<>(
                    new LiveServlet(orderly, users.getIfUnique(() -> LiveUsers.PRINCIPALS), Time.system()),
                    Objects.requireNonNull(properties.getLive().path()));
            registration.setAsyncSupported(true);
            return registration;
        }
    }
}
