package dev.orderly.web.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.resilience.LogLines;
import dev.orderly.web.message.HeaderList;
import dev.orderly.web.message.Headers;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.RequestRouter.Match;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ForwardedForCheckTest {
    private static final TrustedProxies TRUSTED = TrustedProxies.of("10.0.0.0/8");

    private final ManualTime time = new ManualTime();
    private final ForwardedForCheck check = new ForwardedForCheck(time, ForwardedForCheck.NAME_IT);
    private final LogLines lines = LogLines.of(ForwardedForCheck.class.getName());

    @AfterEach
    void close() {
        lines.close();
    }

    private void request(String peer, Headers headers) {
        EdgeRequest request = EdgeRequest.of(new RequestHead("GET", "/", null, headers, peer, Map.of()), TRUSTED);
        assertThat(check.match(request, _ -> new Match.Immediate(Response.empty(204)))).isNotNull();
    }

    private static Headers forwarded() {
        return new HeaderList().add("X-Forwarded-For", "203.0.113.7");
    }

    @Test
    void aForwardedAddressFromAnUnknownProxyIsAWarningThatNamesTheKeyOnceAMinute() {
        request("192.0.2.1", forwarded());
        request("192.0.2.1", forwarded());
        assertThat(lines.with("edge.trusted-proxies")).singleElement().asString().contains("192.0.2.1");
        time.advance(Duration.ofMinutes(1));
        request("192.0.2.1", forwarded());
        assertThat(lines.with("(and 1 like it since the last line)")).hasSize(1);
    }

    @Test
    void aTrustedProxyAndADirectClientCauseNoWarning() {
        request("10.1.2.3", forwarded());
        request("192.0.2.1", new HeaderList());
        request("192.0.2.1", new HeaderList().add("X-Forwarded-Proto", "http"));
        request("10.1.2.3", new HeaderList().add("X-Forwarded-Proto", "https"));
        assertThat(lines.events()).isEmpty();
    }

    @Test
    void aServerThatHasReadTheHeaderItselfCausesNoWarning() {
        request("203.0.113.7", forwarded());
        request("2001:db8::7", new HeaderList().add("X-Forwarded-For", "[2001:DB8:0::7]:4711, 10.0.0.9"));
        assertThat(lines.events()).isEmpty();
    }

    @Test
    void aForwardedSchemeFromAnUnknownProxyIsAWarningUnlessTheConnectionHasTls() {
        Headers https = new HeaderList().add("X-Forwarded-Proto", "https");
        EdgeRequest tls = EdgeRequest.of(new RequestHead("GET", "/", null, https, "192.0.2.1", true, Map.of()),
                TRUSTED);
        assertThat(check.match(tls, _ -> new Match.Immediate(Response.empty(204)))).isNotNull();
        assertThat(lines.events()).isEmpty();

        request("192.0.2.1", https);
        assertThat(lines.with("X-Forwarded-Proto from 192.0.2.1 is ignored")).hasSize(1);
    }
}
