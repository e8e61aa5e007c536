package dev.orderly.http.stream;

import dev.orderly.web.message.Headers;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Headers as the codec received them; changes are made there. */
public record ReceivedHeaders(MultiMap received) implements Headers {
    public static ReceivedHeaders of(HttpServerRequest request) {
        return new ReceivedHeaders(request.headers());
    }

    @Override
    public @Nullable String get(String name) {
        return received.get(name);
    }

    @Override
    public List<String> getAll(String name) {
        return received.getAll(name);
    }

    @Override
    public boolean contains(String name) {
        return received.contains(name);
    }

    @Override
    public ReceivedHeaders add(String name, String value) {
        received.add(name, value);
        return this;
    }

    @Override
    public ReceivedHeaders remove(String name) {
        received.remove(name);
        return this;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super String> action) {
        received.forEach(action::accept);
    }
}
