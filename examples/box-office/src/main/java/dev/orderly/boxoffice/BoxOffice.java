package dev.orderly.boxoffice;

import dev.orderly.Orderly;
import dev.orderly.boxoffice.shop.BackOffice;
import dev.orderly.boxoffice.shop.Counter;
import dev.orderly.boxoffice.shop.Luck;
import dev.orderly.boxoffice.shop.MailServer;
import dev.orderly.boxoffice.shop.Payments;
import dev.orderly.boxoffice.shop.Pretend;
import dev.orderly.boxoffice.shop.Shop;
import dev.orderly.boxoffice.web.Numbers;
import dev.orderly.boxoffice.web.ServerInFront;
import dev.orderly.boxoffice.web.Sessions;
import dev.orderly.boxoffice.web.Site;
import dev.orderly.boxoffice.web.WebServer;
import dev.orderly.time.Time;
import java.io.IOException;
import java.security.SecureRandom;

/**
 * A ticket shop on job queues, as a demo and as an example to copy from.
 *
 * {@snippet :
 * try (Orderly orderly = Orderly.open(store);
 *         BoxOffice shop = BoxOffice.start(orderly, 8080, Time.system(), Sessions.alone(Time.system()))) {
 *     orderly.start();
 *     System.out.println(BoxOffice.guide(shop.port(), 8081, "/"));
 * }
 * }
 *
 * <p>The jobs are as durable as the store. Orders and seats are in memory and lost when the shop stops.
 */
public final class BoxOffice implements AutoCloseable {
    private static final long SEED = 20260301;

    private final WebServer server;
    private final Site site;
    private final BackOffice back;

    private BoxOffice(WebServer server, Site site, BackOffice back) {
        this.server = server;
        this.site = site;
        this.back = back;
    }

    /**
     * Declares the queues {@code checkout.fifo} and {@code mails}, the schedule {@code nightly-report} and the work of
     * the {@link BackOffice}, attaches their handlers and opens the shop on loopback. The caller starts and closes
     * {@code orderly}, and closes the shop first.
     *
     * @param port 0 for any free port
     * @param sessions sessions with the secret of Orderly's edge, if there is an edge
     * @throws IOException if the port is taken
     */
    public static BoxOffice start(Orderly orderly, int port, Time time, Sessions sessions) throws IOException {
        return start(orderly, port, time, sessions, new Pretend(new Luck(SEED), time));
    }

    /** As {@link #start(Orderly, int, Time, Sessions)}, with another bank and mail server. */
    public static <O extends Payments & MailServer> BoxOffice start(Orderly orderly, int port, Time time,
            Sessions sessions, O outside) throws IOException {
        Shop shop = new Shop(time);
        Counter counter = new Counter(orderly, shop, outside, outside);
        Numbers numbers = new Numbers(new SecureRandom());
        Site site = new Site(orderly, shop, counter, numbers);
        return new BoxOffice(new WebServer(port, site, numbers, sessions), site, new BackOffice(orderly, shop, time));
    }

    /** Shows the room of the server in front, and links to its dashboard. */
    public void behind(ServerInFront front) {
        site.behind(front);
    }

    /** Pushes the work of the back office. */
    public void openBackOffice() {
        back.open();
    }

    public int port() {
        return server.port();
    }

    /**
     * Accepts no more requests, and gives requests in progress a second. Jobs continue until {@code orderly} is closed.
     */
    @Override
    public void close() {
        server.close();
        site.close();
    }

    /** Addresses to open and steps to try, for the terminal. */
    public static String guide(int port, int adminPort, String signIn) {
        String shop = "http://127.0.0.1:" + port;
        String api = "http://127.0.0.1:" + adminPort + "/api/v1";
        return """
                The box office is open.

                  The shop               %1$s
                  Behind the scenes      %1$s/behind-the-scenes
                  Orderly's dashboard    %3$s%4$s
                                         (signs one browser in; for another: orderly dashboard --url %3$s)
                  Orderly's API          %2$s/queues

                Ticket pages stand behind the waiting room "sale". Alone you walk straight in; with a crowd
                (orderly demo --visitors 500) you wait about a minute. From another terminal:

                     orderly room show sale --url %3$s
                     orderly room hold sale --url %3$s          admits no new visitor; auto ends it
                     orderly room admit sale 10 --url %3$s
                     orderly room message sale 'Back at ten.' --url %3$s
                     orderly room epoch sale --yes --url %3$s   a new line: every visitor to its end

                Buy a ticket; click twice if you like. Have your orders open in two tabs and see each step in both as it
                happens: preparing, packaging, shipped. Or:

                  1. Order the same tickets twice. The second answer has the same X-Job-Id and says Orderly-Duplicate.

                     curl -i -H @data/local-access '%2$s/queues/checkout.fifo/jobs?group=ann&dedupe=order-1' \\
                       -d 'order=order-1&show=tin&tickets=2&name=Ann&mail=ann@nowhere.invalid&card=FLAKY'

                  2. Look at the job, with the X-Job-Id you got; its order is at %1$s/orders/order-1

                     curl -H @data/local-access %2$s/jobs/JOB-ID

                  3. Ann's address bounces, so her mail becomes a dead letter. List it, correct the address on the page
                     of the order (that sends it), or let every dead mail try once more as it is:

                     curl -H @data/local-access '%2$s/queues/mails/jobs?state=dead'
                     curl -H @data/local-access -X POST '%2$s/queues/mails/redrive?all=true'

                  4. The takings are counted every night at three. Count them now; the result is behind the scenes.

                     orderly schedule list --url %3$s
                     orderly schedule run nightly-report --url %3$s

                  5. Order five tickets or more: the job waits for an approval, which the page of the order sends, or

                     orderly job event JOB-ID approval '{"ok": true}' --url %3$s
                """.formatted(shop, api, "http://127.0.0.1:" + adminPort, signIn);
    }
}
