package dev.orderly.http.intake;

import dev.orderly.job.Payload;
import dev.orderly.job.payload.PayloadReader;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.Attribute;
import io.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import io.netty.handler.codec.http.multipart.FileUpload;
import io.netty.handler.codec.http.multipart.HttpPostMultipartRequestDecoder;
import io.netty.handler.codec.http.multipart.InterfaceHttpData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads {@code multipart/form-data} (RFC 7578) for typed handlers: a field is a string; a file is a map of
 * {@code filename}, {@code contentType} and {@code bytes}; a repeated name is a list, in order. At most
 * {@value #PARTS_MAX} parts. Works in memory. Thread-safe.
 */
public final class MultipartReader implements PayloadReader {
    static final int PARTS_MAX = 1_000;

    private static final int UNDECODED_MAX = 2 << 20;
    /** The character that the decoder puts in place of invalid bytes. */
    private static final char REPLACEMENT = '\ufffd';

    /** Thrown for bytes that are not text in their declared charset. */
    static final class NotTextException extends IllegalArgumentException {
        private final String part;

        NotTextException(String part) {
            super("bytes that are not text in " + part);
            this.part = part;
        }

        String part() {
            return part;
        }
    }

    @Override
    public boolean reads(String mediaType) {
        return mediaType.equals(ContentTypes.MULTIPART);
    }

    @Override
    public Map<String, Object> read(Payload payload) {
        String boundary = MediaType.parse(payload.contentType()).parameter("boundary")
                .orElseThrow(() -> new IllegalArgumentException("its content type names no boundary"));
        HttpHeaders headers = new DefaultHttpHeaders().set(HttpHeaderNames.CONTENT_TYPE, payload.contentType());
        FullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/",
                Unpooled.wrappedBuffer(payload.bytes()), headers, EmptyHttpHeaders.INSTANCE);
        HttpPostMultipartRequestDecoder decoder = null;
        try {
            decoder = new HttpPostMultipartRequestDecoder(new DefaultHttpDataFactory(false), request,
                    StandardCharsets.UTF_8, PARTS_MAX, UNDECODED_MAX);
            List<InterfaceHttpData> parts = decoder.getBodyHttpDatas();
            if (decoder.currentPartialHttpData() != null || !closed(payload, boundary)) {
                throw new IllegalArgumentException("it ends before its last boundary");
            }
            return fields(parts);
        } catch (DecoderException | IOException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        } finally {
            if (decoder != null) {
                decoder.destroy();
            }
        }
    }

    private static Map<String, Object> fields(List<InterfaceHttpData> parts) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (InterfaceHttpData part : parts) {
            Object value = switch (part) {
                case FileUpload file ->
                    Map.of("filename", text("the name of a file", file.getFilename()), "contentType",
                            file.getContentType() == null ? ContentTypes.BYTES : file.getContentType(), "bytes",
                            file.get());
                case Attribute attribute -> value(attribute);
                default -> throw new IllegalArgumentException("part " + part.getName() + " is neither field nor file");
            };
            fields.merge(text("the name of a field", part.getName()), value, MultipartReader::joined);
        }
        return fields;
    }

    private static String value(Attribute attribute) throws IOException {
        try {
            return attribute.getCharset().newDecoder().decode(ByteBuffer.wrap(attribute.get())).toString();
        } catch (CharacterCodingException _) {
            throw new NotTextException("field " + text("the name of a field", attribute.getName()));
        }
    }

    private static String text(String part, String decoded) {
        if (decoded.indexOf(REPLACEMENT) >= 0) {
            throw new NotTextException(part);
        }
        return decoded;
    }

    /** Whether the last boundary is present: the decoder accepts a body that ends between two parts. */
    private static boolean closed(Payload payload, String boundary) {
        String last = "--" + boundary + "--";
        String body = payload.asText(StandardCharsets.ISO_8859_1);
        return body.startsWith(last) || body.contains("\n" + last);
    }

    private static Object joined(Object before, Object value) {
        List<Object> all = new ArrayList<>(before instanceof List<?> list ? list : List.of(before));
        all.add(value);
        return all;
    }
}
