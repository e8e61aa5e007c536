package dev.orderly.boxoffice;

import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.boxoffice.web.Sessions;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;

/** A shop on the memory store, open for one test. */
final class OpenShop implements AutoCloseable {
    static final QueueName CHECKOUTS = new QueueName("checkout.fifo");
    static final QueueName MAILS = new QueueName("mails");

    final Outside outside = new Outside();
    final Orderly orderly = Orderly.open(new MemoryStore());
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Sessions sessions = Sessions.alone(Time.system());
    private final BoxOffice shop;

    OpenShop() throws IOException {
        shop = BoxOffice.start(orderly, 0, Time.system(), sessions, outside);
        orderly.start();
    }

    Browser browser(String customer) {
        return new Browser(client, shop.port(), sessions.token(customer));
    }

    List<JobView> jobs(QueueName queue, JobState state) {
        return orderly.jobs().list(queue, state, null, 1_000);
    }

    /** Waits until the page of the order contains the text, and returns the page. */
    String awaitOrder(String order, String text) {
        return await("order " + order + " to say: " + text).atMost(Duration.ofSeconds(90))
                .until(() -> browser("anybody1").get("/orders/" + order).body(), page -> page.contains(text));
    }

    @Override
    public void close() {
        shop.close();
        client.close();
        orderly.close();
    }
}
