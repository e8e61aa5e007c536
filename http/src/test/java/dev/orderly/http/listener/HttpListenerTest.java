package dev.orderly.http.listener;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The messages about an address that cannot be bound. The failure is injected, since root may bind every port. */
class HttpListenerTest {
    @Test
    void aPortWithoutTheRightForItIsReportedWithTheWaysToGetIt() {
        String message = HttpListener.unbound("edge", new BindAddress("0.0.0.0", 443), "Permission denied");
        assertThat(message).startsWith("The edge cannot listen on 0.0.0.0:443 (Permission denied): ports below 1024")
                .contains("AmbientCapabilities=CAP_NET_BIND_SERVICE", "setcap cap_net_bind_service=+ep",
                        "redirect 443");
    }

    @Test
    void anotherFailureIsReportedWithAnotherRemedy() {
        assertThat(HttpListener.unbound("edge", new BindAddress("0.0.0.0", 443), "Address already in use"))
                .contains("free the port").doesNotContain("setcap");
        assertThat(HttpListener.unbound("api", new BindAddress("0.0.0.0", 8081), "Permission denied"))
                .contains("choose another").doesNotContain("setcap");
    }
}
