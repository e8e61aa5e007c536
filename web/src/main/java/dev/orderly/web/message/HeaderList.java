package dev.orderly.web.message;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Headers as a list of lines. */
public final class HeaderList implements Headers {
    private final List<Header> lines = new ArrayList<>();
    private boolean reduced;

    @Override
    public @Nullable String get(String name) {
        for (Header line : lines) {
            if (line.isNamed(name)) {
                return line.value();
            }
        }
        return null;
    }

    @Override
    public List<String> getAll(String name) {
        return lines.stream().filter(line -> line.isNamed(name)).map(Header::value).toList();
    }

    @Override
    public boolean contains(String name) {
        return get(name) != null;
    }

    @Override
    public HeaderList add(String name, String value) {
        lines.add(new Header(name, value));
        return this;
    }

    @Override
    public HeaderList remove(String name) {
        reduced |= lines.removeIf(line -> line.isNamed(name));
        return this;
    }

    /** Whether lines were removed. */
    public boolean isReduced() {
        return reduced;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super String> action) {
        lines.forEach(line -> action.accept(line.name(), line.value()));
    }
}
