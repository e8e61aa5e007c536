package dev.orderly.http.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.ManualTime;
import dev.orderly.web.edge.ClientAddress;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Connections that have not begun, at their bounds. */
class PendingConnectionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST = 8;

    private final ManualTime time = new ManualTime();
    private final PendingConnections pending = new PendingConnections(MOST, PATIENCE, time);

    private EmbeddedChannel add(String address) {
        EmbeddedChannel channel = new EmbeddedChannel();
        pending.add(channel, InetAddress.ofLiteral(address));
        return channel;
    }

    @Test
    void fewAddressesCannotKeepOthersOut() {
        EmbeddedChannel before = add("198.51.100.1");
        List<EmbeddedChannel> flood = new ArrayList<>();
        for (int i = 0; i < 330; i++) {
            flood.add(add("192.0.2." + i % 3));
        }
        EmbeddedChannel after = add("198.51.100.2");
        flood.add(add("192.0.2.1"));

        assertThat(before.isOpen()).isTrue();
        assertThat(after.isOpen()).isTrue();
        assertThat(pending.count()).isEqualTo(MOST);
        assertThat(flood.stream().filter(EmbeddedChannel::isOpen)).hasSize(MOST - 2).contains(flood.getLast());
    }

    @Test
    void theAddressesOfACustomerAreOneNetwork() {
        List<EmbeddedChannel> others = List.of(add("2001:db8:0:200::1"), add("2001:db8:0:ff::1"), add("192.0.2.1"),
                add("192.0.2.2"));
        for (int i = 0; i < 300; i++) {
            add("2001:db8:0:1%02x::%x".formatted(i % 256, i + 1));
        }

        assertThat(others).allMatch(EmbeddedChannel::isOpen);
    }

    @Test
    void anIpv4AddressWrittenAsIpv6IsTheSameNetwork() {
        List<EmbeddedChannel> others = new ArrayList<>();
        for (int i = 0; i < MOST - 2; i++) {
            others.add(add("198.51.100." + i));
        }
        EmbeddedChannel mapped = add("::ffff:192.0.2.1");
        EmbeddedChannel plain = add("192.0.2.1");
        others.add(add("203.0.113.1"));

        assertThat(mapped.isOpen()).isFalse();
        assertThat(plain.isOpen()).isTrue();
        assertThat(others).allMatch(EmbeddedChannel::isOpen);
    }

    @Test
    void aConnectionHasItsTimeAndNoMore() {
        EmbeddedChannel early = add("192.0.2.1");
        time.advance(PATIENCE.minusMillis(1));
        EmbeddedChannel late = add("192.0.2.2");
        pending.closeLate();
        assertThat(early.isOpen()).isTrue();

        time.advance(Duration.ofMillis(1));
        pending.closeLate();

        assertThat(early.isOpen()).isFalse();
        assertThat(late.isOpen()).isTrue();
        assertThat(pending.count()).isOne();
    }

    @Test
    void whileMoreThanHalfIsTakenAConnectionHasThreeSeconds() {
        List<EmbeddedChannel> early = new ArrayList<>();
        for (int i = 0; i < MOST / 2; i++) {
            early.add(add("192.0.2." + i));
        }
        time.advance(Duration.ofSeconds(3));
        pending.closeLate();
        assertThat(early).allMatch(EmbeddedChannel::isOpen);

        EmbeddedChannel one = add("198.51.100.1");

        assertThat(early.getFirst().isOpen()).isFalse();
        assertThat(pending.count()).isEqualTo(MOST / 2);
        assertThat(one.isOpen()).isTrue();
    }

    @Test
    void aConnectionThatHasBegunOrIsClosedLeavesItsPlace() {
        EmbeddedChannel begun = add("192.0.2.1");
        EmbeddedChannel closed = add("192.0.2.1");

        pending.remove(begun);
        pending.remove(begun);
        var _ = closed.close();
        time.advance(PATIENCE);
        pending.closeLate();

        assertThat(pending.count()).isZero();
        assertThat(begun.isOpen()).isTrue();
    }

    /** The rule in its plainest form. */
    private static final class Model {
        private final List<Map.Entry<EmbeddedChannel, String>> all = new ArrayList<>();

        private void add(EmbeddedChannel channel, String network) {
            all.add(Map.entry(channel, network));
            if (all.size() > MOST) {
                Map<String, Long> counts = all.stream()
                        .collect(Collectors.groupingBy(Map.Entry::getValue, Collectors.counting()));
                all.remove(all.stream().max(Comparator.comparing(one -> counts.get(one.getValue()))).orElseThrow());
            }
        }

        private List<EmbeddedChannel> open() {
            return all.stream().map(Map.Entry::getKey).toList();
        }
    }

    @Test
    void theOldestConnectionOfTheFullestNetworkGoesWhateverCameBefore() {
        Random random = new Random(28);
        Model model = new Model();
        for (int i = 0; i < 5_000; i++) {
            if (random.nextInt(4) == 0 && !model.all.isEmpty()) {
                EmbeddedChannel leaving = model.all.remove(random.nextInt(model.all.size())).getKey();
                var _ = leaving.close();
            } else {
                String address = "192.0.2." + random.nextInt(5);
                model.add(add(address), new ClientAddress(InetAddress.ofLiteral(address)).networkKey());
            }
            assertThat(model.open()).allMatch(EmbeddedChannel::isOpen);
            assertThat(pending.count()).isEqualTo(model.all.size());
        }
    }
}
