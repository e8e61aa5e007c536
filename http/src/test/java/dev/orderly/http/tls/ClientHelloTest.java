package dev.orderly.http.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClientHelloTest {
    /** The bytes before the body: the header of the record and of the handshake message. */
    private static final int HEADERS = 9;

    @Test
    void hostProtocolsAndSignaturesOfAClientAreRead() throws Exception {
        ClientHello read = ClientHello.read(hello("Shop.Example", "h2", "acme-tls/1"));
        assertThat(read).isEqualTo(new ClientHello("Shop.Example", List.of("h2", "acme-tls/1"), true));
    }

    @Test
    void aClientThatNamesNeitherOffersNone() throws Exception {
        assertThat(ClientHello.read(hello(null))).isEqualTo(new ClientHello(null, List.of(), true));
    }

    @Test
    void aHelloThatIsCutOffAnywhereOffersNothing() throws Exception {
        ByteBuf whole = hello("shop.example", "acme-tls/1");
        for (int length = 0; length < whole.readableBytes(); length++) {
            assertThat(ClientHello.read(whole.slice(0, length))).isEqualTo(ClientHello.EMPTY);
        }
    }

    private static ByteBuf hello(@Nullable String host, String... protocols) throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        if (host != null) {
            parameters.setServerNames(List.of(new SNIHostName(host)));
        }
        parameters.setApplicationProtocols(protocols);
        engine.setSSLParameters(parameters);
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), out);
        out.flip();
        return Unpooled.wrappedBuffer(out).skipBytes(HEADERS).slice();
    }
}
