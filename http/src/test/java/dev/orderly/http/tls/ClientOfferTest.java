package dev.orderly.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;

class ClientOfferTest {
    /** The bytes before the body: the header of the record and of the handshake message. */
    private static final int HEADERS = 9;

    @Test
    void hostAndProtocolsOfAClientAreRead() throws Exception {
        ClientOffer offer = ClientOffer.of(hello("Shop.Example", "h2", "acme-tls/1"));
        assertThat(offer.host()).isEqualTo("shop.example");
        assertThat(offer.protocols()).containsExactly("h2", "acme-tls/1");
    }

    @Test
    void aClientThatNamesNeitherOffersNone() throws Exception {
        assertThat(ClientOffer.of(hello(null))).isEqualTo(new ClientOffer("", List.of()));
    }

    @Test
    void aHelloThatIsCutOffAnywhereIsRefused() throws Exception {
        ByteBuf whole = hello("shop.example", "acme-tls/1");
        int extensions = whole.readableBytes() - 1;
        for (int length = 0; length <= extensions; length++) {
            ByteBuf cut = whole.slice(0, length);
            if (length != bodyWithoutExtensions(whole)) {
                assertThatThrownBy(() -> ClientOffer.of(cut)).isInstanceOf(IndexOutOfBoundsException.class);
            }
        }
    }

    /** The length up to the extensions, with which a hello of an old client ends. */
    private static int bodyWithoutExtensions(ByteBuf hello) {
        ByteBuf in = hello.slice();
        in.skipBytes(34);
        in.skipBytes(in.readUnsignedByte());
        in.skipBytes(in.readUnsignedShort());
        in.skipBytes(in.readUnsignedByte());
        return in.readerIndex();
    }

    private static ByteBuf hello(@org.jspecify.annotations.Nullable String host, String... protocols)
            throws Exception {
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
