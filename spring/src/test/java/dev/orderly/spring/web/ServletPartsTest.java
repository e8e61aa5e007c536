package dev.orderly.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.access.Role;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.JobClient;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.HealthPolicy;
import dev.orderly.room.LimitTimetable;
import dev.orderly.room.Limits;
import dev.orderly.room.OnFailure;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.gate.Rooms;
import dev.orderly.servlet.dashboard.DashboardAccess;
import dev.orderly.servlet.live.LiveUsers;
import dev.orderly.servlet.room.RoomFilter;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.boot.OrderlyAutoConfiguration;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.user.UserId;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Rooms, the dashboard and live connections by properties alone, in the container of Spring Boot. */
class ServletPartsTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final WebApplicationContextRunner bare = container()
            .withPropertyValues("server.port=0", "server.servlet.context-path=/shop");

    private final WebApplicationContextRunner rooms = bare.withPropertyValues("orderly.rooms.sale.match=/tickets/**",
            "orderly.rooms.sale.capacity=1", "orderly.rooms.sale.page.title=The sale",
            "orderly.room-filter.secret=" + "0f".repeat(32));

    /** An application with a page below each path, in Spring Boot's container on any free port. */
    static WebApplicationContextRunner container() {
        return new WebApplicationContextRunner(
                AnnotationConfigServletWebServerApplicationContext::new)
                .withConfiguration(AutoConfigurations.of(OrderlyAutoConfiguration.class,
                        OrderlyServletAutoConfiguration.class, TomcatServletWebServerAutoConfiguration.class))
                .withBean(Store.class, MemoryStore::new).withUserConfiguration(Pages.class);
    }

    @SuppressWarnings("serial") // not serialized
    static final class Page extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().write("page");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Pages {
        @Bean
        ServletRegistrationBean<Page> page() {
            return new ServletRegistrationBean<>(new Page(), "/");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Viewers {
        @Bean
        DashboardAccess viewers() {
            return DashboardAccess.byRole(request -> "ops".equals(request.getHeader("User"))
                    ? Optional.of(Role.OPERATOR)
                    : Optional.empty());
        }
    }

    private static URI url(AssertableWebApplicationContext context, String path) {
        int port = Objects.requireNonNull(
                ((AnnotationConfigServletWebServerApplicationContext) context.getSourceApplicationContext())
                        .getWebServer())
                .getPort();
        return URI.create("http://127.0.0.1:" + port + "/shop" + path);
    }

    private static HttpResponse<String> get(AssertableWebApplicationContext context, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url(context, path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String cookies(HttpResponse<String> answer) {
        return answer.headers().allValues("Set-Cookie").stream().map(cookie -> cookie.split(";", 2)[0])
                .collect(Collectors.joining("; "));
    }

    @Test
    void aRoomOfThePropertiesProtectsItsPaths() {
        rooms.run(context -> {
            HttpResponse<String> first = get(context, "/tickets/1");
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(get(context, "/tickets/2", "Cookie", cookies(first)).body()).isEqualTo("page");

            HttpResponse<String> second = get(context, "/tickets/1", "Accept", "text/html");
            assertThat(second.statusCode()).isEqualTo(503);
            assertThat(second.body()).contains("The sale", "/shop/.orderly/rooms/sale");
            assertThat(get(context, "/open").statusCode()).isEqualTo(200);
        });
    }

    @ParameterizedTest
    @CsvSource({"none, false", "native, true", "framework, true"})
    void headersOfAProxyCountIfTheApplicationReadsThem(String strategy, boolean read) {
        rooms.withPropertyValues("server.forward-headers-strategy=" + strategy).run(context -> {
            List<String> cookies = get(context, "/tickets/1", "X-Forwarded-For", "203.0.113.7", "X-Forwarded-Proto",
                    "https").headers().allValues("Set-Cookie");
            assertThat(cookies).isNotEmpty().allSatisfy(cookie -> assertThat(cookie.contains("Secure"))
                    .isEqualTo(read));
        });
    }

    @Test
    void aPrefixOfAProxyLeadsIntoTheRoomAndNotAroundIt() {
        rooms.withPropertyValues("server.forward-headers-strategy=framework").run(context -> {
            get(context, "/tickets/1");
            assertThat(get(context, "/tickets/1", "X-Forwarded-Prefix", "/front").statusCode()).isEqualTo(503);
            assertThat(get(context, "/open", "X-Forwarded-Prefix", "/front").statusCode()).isEqualTo(200);
            for (String prefix : List.of("/x/..", "/;a", "//x", "/open/%2e%2e", "/x%2f..", "/shop/tickets/..")) {
                assertThat(get(context, "/tickets/1", "X-Forwarded-Prefix", prefix).statusCode()).as(prefix)
                        .isIn(400, 503);
            }
        });
    }

    @Test
    void theWaitingPageSpeaksTheLanguagesOfTheProperties() {
        rooms.withPropertyValues("orderly.rooms.sale.page.text=Doors open at ten.",
                "orderly.rooms.sale.page.help=https://example.com/help",
                "orderly.rooms.sale.page.languages.de.title=Der Verkauf",
                "orderly.rooms.sale.page.languages.de.text=Einlass ab zehn Uhr.").run(context -> {
                    get(context, "/tickets/1");
                    assertThat(get(context, "/tickets/1", "Accept", "text/html", "Accept-Language", "de-AT").body())
                            .contains("Der Verkauf", "Einlass ab zehn Uhr.", "https://example.com/help");
                    assertThat(get(context, "/tickets/1", "Accept", "text/html", "Accept-Language", "fr").body())
                            .contains("The sale", "Doors open at ten.").doesNotContain("Der Verkauf");
                });
    }

    @Test
    void aRoomHasTheLimitsAndTimesOfTheProperties() {
        bare.withPropertyValues("orderly.room-filter.secret=" + "0f".repeat(32),
                "orderly.room-filter.waiting-streams=0",
                "orderly.rooms.slow.match=/search", "orderly.rooms.slow.health.target=200ms",
                "orderly.rooms.slow.pass-idle=6h", "orderly.rooms.slow.ticket-ttl=2d",
                "orderly.rooms.slow.on-failure=open", "orderly.rooms.slow.move=true",
                "orderly.rooms.slow.limits-at[0].from=10:15", "orderly.rooms.slow.limits-at[0].capacity=9",
                "orderly.rooms.slow.limits-at[1].from=2027-03-01T10:00",
                "orderly.rooms.slow.limits-at[1].rate.admissions=5", "orderly.rooms.slow.zone=Europe/Berlin",
                "orderly.rooms.slow.openings[0].opens=2027-03-01T10:00 Europe/Berlin",
                "orderly.rooms.slow.openings[0].lobby=30m", "orderly.rooms.slow.openings[0].stock=9",
                "orderly.rooms.slow.between=open",
                "orderly.rooms.slow.poll=1s-10s", "orderly.rooms.slow.joins-per-address=20 per 1h",
                "orderly.rooms.slow.untaken-per-address=none",
                "orderly.rooms.slow.addresses-per-pass=8").run(context -> {
                    RoomOptions options = context.getBean(Rooms.class).find(new RoomName("slow")).orElseThrow()
                            .options();
                    assertThat(options.health()).isEqualTo(new HealthPolicy(Duration.ofMillis(200), 0.01));
                    assertThat(options.stay()).isEqualTo(new TokenLifetimes(Duration.ofHours(6), Duration.ofHours(6),
                            Duration.ofDays(2)));
                    assertThat(options.onFailure()).isEqualTo(OnFailure.OPEN);
                    assertThat(options.move()).isTrue();
                    assertThat(options.openings()).isEqualTo(new Openings(List.of(new Opening(
                            Opening.parseTime("2027-03-01T10:00 Europe/Berlin"), Duration.ofMinutes(30), null, 9)),
                            true));
                    assertThat(options.timetable()).isEqualTo(new LimitTimetable(ZoneId.of("Europe/Berlin"), List.of(
                            new LimitTimetable.Entry(LimitTimetable.From.parse("10:15"), new Limits(9, null)),
                            new LimitTimetable.Entry(LimitTimetable.From.parse("2027-03-01T10:00"),
                                    new Limits(null, new Rate(5, Duration.ofMinutes(1)))))));
                    assertThat(options.poll()).isEqualTo(new PollPolicy(Duration.ofSeconds(1), Duration.ofSeconds(10)));
                    assertThat(options.addresses()).isEqualTo(new AddressLimits(new Rate(20, Duration.ofHours(1)),
                            null, 8));
                });
        rooms.withPropertyValues("orderly.room-filter.waiting-streams=0", "orderly.rooms.sale.hosts=shop.example")
                .run(context -> {
                    RoomOptions options = context.getBean(Rooms.class).find(new RoomName("sale")).orElseThrow()
                            .options();
                    assertThat(options.poll()).isEqualTo(PollPolicy.DEFAULT);
                    assertThat(options.addresses()).isEqualTo(AddressLimits.DEFAULT);
                    get(context, "/tickets/1");
                    assertThat(get(context, "/tickets/1").body()).isEqualTo("page"); // of another host
                });
    }

    @Test
    void theWaitingPageHasTheLogoAndTheCssOfTheProperties(@TempDir Path folder) throws IOException {
        Path logo = Files.writeString(folder.resolve("logo.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
        Path template = Files.writeString(folder.resolve("own.html"), "<title>{{title}}</title><p>Own page</p>");
        WebApplicationContextRunner dressed = rooms.withPropertyValues("orderly.rooms.sale.page.logo=" + logo,
                "orderly.rooms.sale.page.css=classpath:waiting.css");
        dressed.run(context -> {
            get(context, "/tickets/1");
            assertThat(get(context, "/tickets/1", "Accept", "text/html").body())
                    .contains("data:image/svg+xml;base64,PHN2Zy", "--accent:#a3123a");
        });
        dressed.withPropertyValues("orderly.rooms.sale.page.template=" + template.toUri()).run(context -> {
            get(context, "/tickets/1");
            assertThat(get(context, "/tickets/1", "Accept", "text/html").body()).contains("<p>Own page</p>");
        });
    }

    @Test
    void bypassRulesAreTextsOfPathsOrHaveSeveralConditions() {
        rooms.withPropertyValues("orderly.rooms.sale.bypass[0]=/tickets/logo.svg",
                "orderly.rooms.sale.bypass[1].path=/tickets/**", "orderly.rooms.sale.bypass[1].header=X-Check: 1")
                .run(context -> {
                    get(context, "/tickets/1");
                    assertThat(get(context, "/tickets/2", "X-Check", "2").statusCode()).isEqualTo(503);
                    assertThat(get(context, "/tickets/2", "X-Check", "1").statusCode()).isEqualTo(200);
                    assertThat(get(context, "/tickets/logo.svg").statusCode()).isEqualTo(200);
                });
        WebApplicationContextRunner all = rooms.withPropertyValues("orderly.rooms.sale.match=/**");
        all.run(context -> {
            get(context, "/tickets/1");
            assertThat(get(context, "/robots.txt").statusCode()).isEqualTo(200);
            assertThat(get(context, "/robots.txt?a").statusCode()).isEqualTo(503);
        });
        all.withPropertyValues("orderly.rooms.sale.built-in-bypass=0").run(context -> {
            get(context, "/tickets/1");
            assertThat(get(context, "/robots.txt").statusCode()).isEqualTo(503);
        });
        rooms.withPropertyValues("orderly.rooms.sale.bypass=/tickets/a.svg,/tickets/b.svg").run(context -> {
            get(context, "/tickets/1");
            assertThat(get(context, "/tickets/b.svg").statusCode()).isEqualTo(200);
        });
    }

    static class Checkout {
        private final CountDownLatch mayEnd = new CountDownLatch(1);

        @JobHandler("checkout")
        void run(String order) throws InterruptedException {
            if (!order.equals("quick")) {
                mayEnd.await();
            }
        }
    }

    @Test
    void aRoomAdmitsNobodyWhileItsQueueIsFarBehind() {
        WebApplicationContextRunner slowed = rooms.withBean(Checkout.class)
                .withPropertyValues("orderly.rooms.sale.capacity=1000", "orderly.stop-grace=0s",
                        "orderly.rooms.sale.joins-per-address=none", "orderly.rooms.sale.untaken-per-address=none",
                        "orderly.rooms.sale.backlog.target=1s");
        slowed.withPropertyValues("orderly.rooms.sale.backlog.queue=checkout").run(context -> {
            assertThat(get(context, "/tickets/1").statusCode()).isEqualTo(200);
            JobClient jobs = context.getBean(Orderly.class).engines().jobs();
            StandardQueue<String> queue = jobs.queue("checkout", String.class, jobs.options(new QueueName("checkout"))
                    .orElseThrow());
            queue.push("quick");
            queue.pushAll(Collections.nCopies(2_000, "order"));
            await().atMost(SOON).until(() -> get(context, "/tickets/1").statusCode() == 503);
            assertThat(context.getBean(Rooms.class).find(new RoomName("sale")).orElseThrow().state().slowed())
                    .isEqualTo(SlowdownReason.BACKLOG);
        });
        slowed.withPropertyValues("orderly.rooms.sale.backlog.queue=chekout").run(context -> assertThat(context)
                .getFailure().hasMessageContaining("orderly.rooms.sale.backlog.queue: No such queue is"
                        + " declared: did you mean checkout?"));
    }

    @Test
    void wrongSettingsOfRoomsAreRefusedTogetherWithoutTheSecret() {
        bare.withPropertyValues("orderly.rooms.sale.match=/tickets/**", "orderly.rooms.other.capacity=3",
                "orderly.rooms.idle.match=/", "orderly.rooms.idle.capacity=3", "orderly.rooms.idle.pass-idle=1s",
                "orderly.rooms.tongue.match=/", "orderly.rooms.tongue.capacity=3",
                "orderly.rooms.tongue.page.languages.qqq.title=x", "orderly.rooms.link.match=/",
                "orderly.rooms.link.capacity=3", "orderly.rooms.link.page.help-text=Help",
                "orderly.rooms.style.match=/", "orderly.rooms.style.capacity=3",
                "orderly.rooms.style.page.css=none.css", "orderly.rooms.asks.match=/",
                "orderly.rooms.asks.capacity=3", "orderly.rooms.asks.poll=9s-3s", "orderly.rooms.joins.match=/",
                "orderly.rooms.joins.capacity=3", "orderly.rooms.joins.joins-per-address=5 per day",
                "orderly.rooms.spread.match=/", "orderly.rooms.spread.capacity=3",
                "orderly.rooms.spread.addresses-per-pass=10001", "orderly.rooms.behind.match=/",
                "orderly.rooms.behind.capacity=3", "orderly.rooms.behind.backlog.queue=mails",
                "orderly.rooms.check.match=/", "orderly.rooms.check.capacity=3",
                "orderly.rooms.check.bypass[0].header=X-Check:hunter3",
                "orderly.room-filter.streams-per-ticket=0", "orderly.room-filter.secret=hunter2").run(context -> {
                    assertThat(context).hasFailed();
                    Throwable cause = context.getStartupFailure();
                    while (cause != null && cause.getCause() != null) {
                        cause = cause.getCause();
                    }
                    assertThat(cause).hasMessageContaining("orderly.rooms.sale").hasMessageContaining("no limit")
                            .hasMessageContaining("orderly.rooms.idle: pass-idle is 1 s: use 10 s to 1 d")
                            .hasMessageContaining("orderly.rooms.tongue: \"qqq\" is no known language")
                            .hasMessageContaining("orderly.rooms.link: The page has a help-text and no help")
                            .hasMessageContaining("orderly.rooms.style: The css none.css cannot be read")
                            .hasMessageContaining("orderly.rooms.asks: poll is \"9s-3s\": use the least and the most")
                            .hasMessageContaining("orderly.rooms.joins: joins-per-address is \"5 per day\": use a"
                                    + " number of places and a time of 1s to 1h, such as 100 per 1m, or none")
                            .hasMessageContaining("orderly.rooms.spread: addresses-per-pass is \"10001\": use a whole"
                                    + " number, 1 to 10000, or none")
                            .hasMessageContaining("orderly.rooms.behind: A backlog has a queue and a target")
                            .hasMessageContaining("orderly.rooms.check: The bypass rule's header breaks its rule")
                            .hasMessageNotContaining("hunter3")
                            .hasMessageContaining("orderly.room-filter: streams-per-ticket is 0: use 1 or more")
                            .hasMessageContaining("orderly.rooms.other").hasMessageContaining("openssl rand -hex 32")
                            .hasMessageNotContaining("hunter2");
                });
    }

    @Test
    void theDashboardIsClosedUntilTheApplicationSaysWhoMaySeeIt() {
        WebApplicationContextRunner mounted = bare.withPropertyValues("orderly.dashboard.path=/internal/orderly",
                "orderly.live.path=/live");
        mounted.run(context -> assertThat(get(context, "/internal/orderly/", "User", "ops").statusCode())
                .isEqualTo(403));
        mounted.withUserConfiguration(Viewers.class).run(context -> {
            assertThat(get(context, "/internal/orderly/", "User", "ops").body())
                    .contains("/shop/internal/orderly/queues");
            assertThat(get(context, "/internal/orderly/").statusCode()).isEqualTo(403);
            assertThat(get(context, "/live", "Accept", "text/event-stream").statusCode()).isEqualTo(401);
        });
    }

    @Test
    void theDashboardPreviewsTheWaitingPagesOfTheRooms() {
        rooms.withPropertyValues("orderly.dashboard.path=/internal/orderly").withUserConfiguration(Viewers.class)
                .run(context -> {
                    String preview = "/internal/orderly/rooms/sale/preview";
                    assertThat(get(context, preview, "User", "ops").body())
                            .contains("src=\"/shop" + preview + "/waiting/en\"");
                    HttpResponse<String> page = get(context, preview + "/held/de", "User", "ops");
                    assertThat(page.body()).contains("The sale", "lang=\"de\"");
                    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                            .contains("frame-ancestors 'self'");
                    assertThat(get(context, preview + "/nowhere/de", "User", "ops").statusCode()).isEqualTo(404);
                });
    }

    @Test
    void aGracefulStopDoesNotWaitForOpenStreams() {
        CompletableFuture<HttpResponse<InputStream>> stream = new CompletableFuture<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            rooms.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class))
                    .withPropertyValues("orderly.live.path=/live", "spring.lifecycle.timeout-per-shutdown-phase=1h")
                    .withBean(LiveUsers.class, () -> _ -> Optional.of(new UserId("ann"))).run(context -> {
                        stream.complete(client.send(HttpRequest.newBuilder(url(context, "/live"))
                                .header("Accept", "text/event-stream").build(), BodyHandlers.ofInputStream()));
                        assertThat(stream.join().statusCode()).isEqualTo(200);
                        Thread stop = Thread.ofVirtual()
                                .start(((ConfigurableApplicationContext) context.getSourceApplicationContext())::close);
                        assertThat(stop.join(SOON)).as("the application has stopped").isTrue();
                    });
            assertThat(stream.join().body().readAllBytes()).isNotEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void withoutPropertiesNothingIsAdded() {
        bare.run(context -> {
            assertThat(context).doesNotHaveBean(RoomFilter.class);
            assertThat(context.getBeanNamesForType(ServletRegistrationBean.class)).containsExactly("page");
        });
    }
}
