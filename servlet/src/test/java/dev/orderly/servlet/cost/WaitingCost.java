package dev.orderly.servlet.cost;

import com.sun.management.OperatingSystemMXBean;
import dev.orderly.servlet.Container;
import dev.orderly.servlet.RoomApp;
import dev.orderly.servlet.room.RoomFilterOptions;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.room.RoomMatch;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cost of 10,000 waiting visitors who ask again, beside that of a bare servlet, in Tomcat. Needs {@code wrk}. Run
 * with the class path of the tests: {@code java dev.orderly.servlet.cost.WaitingCost}.
 */
final class WaitingCost {
    private static final Logger LOG = LoggerFactory.getLogger(WaitingCost.class);
    private static final int VISITORS = 10_000;
    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in");

    private WaitingCost() {}

    @SuppressWarnings("serial") // not serialized
    private static final class Bare extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("text/plain");
            response.getWriter().write("bare");
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (RoomApp app = new RoomApp(Container.Kind.TOMCAT, "", RoomFilterOptions.defaults()
                .withTrusted(TrustedProxies.of("127.0.0.1")), RoomMatch.of("/tickets/**"));
                Container bare = Container.Kind.TOMCAT.start("", Container.Parts.none().servlet("/*", new Bare()))) {
            Guest.inside(app);
            List<String> jars = new ArrayList<>();
            for (int i = 0; i < VISITORS; i++) {
                HttpResponse<String> answer = app.send(app.at("/tickets/x").header("X-Forwarded-For",
                        "10." + (i >> 14) + "." + (i >> 7 & 127) + "." + (i & 127)).GET());
                jars.add(answer.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0]);
            }
            app.pass(2);
            Path folder = Files.createTempDirectory("waiting");
            Files.write(folder.resolve("jars"), jars);
            Path script = Files.writeString(folder.resolve("wait.lua"), "local jars = {} for line in io.lines('"
                    + folder.resolve("jars") + "') do jars[#jars + 1] = line end local i = 0\n"
                    + "request = function() i = i % #jars + 1 return wrk.format('GET', '/tickets/x', {Cookie = jars[i],"
                    + " Accept = os.getenv('ACCEPT')}) end\n");
            String plain = "http://127.0.0.1:" + bare.port() + "/";
            for (int round = 0; round < 3; round++) {
                run("bare servlet", 5, "*/*", List.of(plain));
                run("waiting, JSON", 5, "application/json", List.of("-s", script.toString(), app.url("/")));
                run("waiting, page", 5, "text/html", List.of("-s", script.toString(), app.url("/")));
            }
        }
    }

    private static void run(String name, int seconds, String accept, List<String> what)
            throws IOException, InterruptedException {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        List<String> command = new ArrayList<>(List.of("wrk", "-t1", "-c64", "-d" + seconds + "s"));
        command.addAll(what);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ACCEPT", accept);
        long before = system.getProcessCpuTime();
        Process wrk = builder.start();
        String said = new String(wrk.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        wrk.waitFor();
        long used = system.getProcessCpuTime() - before;
        Matcher requests = REQUESTS.matcher(said);
        long count = requests.find() ? Long.parseLong(requests.group(1)) : 0;
        LOG.info("{}: {} requests a second, {} us of the server's CPU each", name, count / seconds,
                count == 0 ? "-" : Math.round(used / 100.0 / count) / 10.0);
    }
}
