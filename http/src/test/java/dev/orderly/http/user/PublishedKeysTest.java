package dev.orderly.http.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.testkit.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PublishedKeysTest {
    private static final Issuer OLD = Issuer.of("EdDSA", "old");
    private static final Issuer NEW = Issuer.of("EdDSA", "new");

    private final ManualTime time = new ManualTime();
    private final AtomicInteger reads = new AtomicInteger();
    private volatile @Nullable String published = Issuer.set(OLD);
    private final PublishedKeys keys = new PublishedKeys("test", this::read, time);

    @Test
    void keysAreReadWithTheFirstTokenAndCached() {
        assertThat(reads).hasValue(0);
        assertThat(knows(OLD)).isTrue();
        time.advance(Duration.ofMinutes(9));
        assertThat(knows(OLD)).isTrue();
        assertThat(reads).hasValue(1);
    }

    @Test
    void expiredKeysAreReadAgainBeforeTheyCount() {
        assertThat(knows(OLD)).isTrue();
        published = Issuer.set(NEW);
        time.advance(Duration.ofMinutes(10));
        assertThat(knows(OLD)).isFalse();
        assertThat(knows(NEW)).isTrue();
    }

    @Test
    void aNewKeyIsReadWithItsFirstTokenAndTheOldKeyStaysValid() {
        assertThat(knows(OLD)).isTrue();
        published = Issuer.set(OLD, NEW);
        time.advance(PublishedKeys.PAUSE);
        assertThat(knows(NEW)).isTrue();
        assertThat(knows(OLD)).isTrue();
        assertThat(reads).hasValue(2);
    }

    @Test
    void tokensWithUnknownKeysCauseAtMostOneReadAPause() {
        assertThat(knows(OLD)).isTrue();
        time.advance(PublishedKeys.PAUSE);
        for (int i = 0; i < 100; i++) {
            assertThat(keys.fitting("EdDSA", "invented-" + i)).isEmpty();
        }
        assertThat(reads).hasValue(2);
        time.advance(PublishedKeys.PAUSE);
        assertThat(keys.fitting("EdDSA", "invented")).isEmpty();
        assertThat(reads).hasValue(3);
    }

    @Test
    void theLastKeysCountWhileTheIssuerFailsOrAnswersNonsense() {
        assertThat(knows(OLD)).isTrue();
        for (String answer : new String[]{null, "<html>", "{}", "{\"keys\":[]}"}) {
            published = answer;
            int before = reads.get();
            time.advance(Duration.ofMinutes(11));
            assertThat(knows(OLD)).isTrue();
            await().until(() -> reads.get() == before + 1);
        }
    }

    @Test
    void untilTheFirstReadSucceedsItIsRetriedEveryFewSeconds() {
        published = null;
        assertThat(knows(OLD)).isFalse();
        assertThat(knows(OLD)).isFalse();
        assertThat(reads).hasValue(1);
        published = Issuer.set(OLD);
        time.advance(PublishedKeys.FIRST_PAUSE);
        assertThat(knows(OLD)).isTrue();
    }

    @Test
    void concurrentCallersShareOneRead() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        PublishedKeys slow = new PublishedKeys("test", () -> {
            reads.incrementAndGet();
            reading.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return KeySet.parse(Issuer.set(OLD));
        }, time);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> found = IntStream.range(0, 200)
                    .mapToObj(_ -> threads.submit(() -> slow.fitting("EdDSA", "old").size())).toList();
            reading.await();
            go.countDown();
            for (Future<Integer> one : found) {
                assertThat(one.get()).isEqualTo(1);
            }
        }
        assertThat(reads).hasValue(1);
    }

    @Test
    void onlySignatureKeysOfASetCount() {
        Issuer rsa = Issuer.of("RS256", "r");
        var encrypting = rsa.jwk();
        encrypting.put("use", "enc");
        var other = rsa.jwk();
        other.put("alg", "RS512");
        String secret = "{\"kty\":\"oct\",\"kid\":\"s\",\"k\":\"" + Tokens.base64(Tokens.SECRET) + "\"}";
        for (String key : List.of(Tokens.json(encrypting), Tokens.json(other), secret, "{\"kty\":\"XYZ\"}")) {
            assertThatThrownBy(() -> KeySet.parse("{\"keys\":[" + key + "]}"))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("0 keys");
        }
        KeySet mixed = KeySet.parse("{\"keys\":[" + secret + "," + Tokens.json(rsa.jwk()) + ",{\"kty\":\"XYZ\"}]}");
        assertThat(mixed.fitting("RS256", "r")).hasSize(1);
        assertThat(mixed.fitting("HS256", "s")).isEmpty();
    }

    private boolean knows(Issuer issuer) {
        return !keys.fitting(issuer.algorithm(), issuer.kid()).isEmpty();
    }

    private KeySet read() throws IOException {
        reads.incrementAndGet();
        String answer = published;
        if (answer == null) {
            throw new IOException("away");
        }
        return KeySet.parse(answer);
    }
}
