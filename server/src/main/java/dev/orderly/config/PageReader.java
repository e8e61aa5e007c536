package dev.orderly.config;

import dev.orderly.http.room.page.HelpLink;
import dev.orderly.http.room.page.Logo;
import dev.orderly.http.room.page.PageLook;
import dev.orderly.http.room.page.PageTemplate;
import dev.orderly.http.room.page.WaitingPage;
import dev.orderly.room.RoomName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Builds waiting pages from their settings and the files that the settings name. */
final class PageReader {
    private static final int CSS_MAX = 64 << 10;

    private final Path folder;
    private final List<Problem> problems;

    PageReader(Path folder, List<Problem> problems) {
        this.folder = folder;
        this.problems = problems;
    }

    WaitingPage read(RoomName room, Settings at) {
        String title = at.value(RoomTable.TITLE).orElse(room.value());
        String text = at.value(RoomTable.TEXT).orElse(null);
        Logo logo = file(at, RoomTable.LOGO, Logo::read);
        String css = file(at, RoomTable.CSS, PageReader::css);
        PageTemplate template = file(at, RoomTable.TEMPLATE, PageTemplate::read);
        HelpLink help = help(at);
        PageLook look = new PageLook(title, text, logo, css == null ? "" : css, help);
        return new WaitingPage(room, look, template == null ? PageTemplate.standard() : template);
    }

    private <T> @Nullable T file(Settings at, Entry.Key<Path> key, Function<Path, T> read) {
        Path file = at.value(key).map(folder::resolve).map(Path::normalize).orElse(null);
        try {
            return file == null ? null : read.apply(file);
        } catch (IllegalArgumentException e) {
            problems.add(at.problem(key, String.valueOf(e.getMessage()), "repair it, name another file, or remove "
                    + key.name()));
            return null;
        }
    }

    private static String css(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(CSS_MAX + 1);
            if (bytes.length > CSS_MAX) {
                throw new IllegalArgumentException("The css " + file + " is larger than " + Amounts.sizeText(CSS_MAX));
            }
            String css = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return new PageLook("css", null, null, css, null).css(); // the exception describes the error
        } catch (IOException e) {
            throw new IllegalArgumentException("The css " + file + " cannot be read as UTF-8 text (" + e + ")", e);
        }
    }

    private @Nullable HelpLink help(Settings at) {
        String address = at.value(RoomTable.HELP).orElse(null);
        if (address == null) {
            if (at.has(RoomTable.HELP_TEXT) && !at.has(RoomTable.HELP)) {
                problems.add(at.problem(RoomTable.HELP_TEXT, "The link has no address",
                        "set help to an address, or remove help-text"));
            }
            return null;
        }
        try {
            String shown = address.length() <= 100 ? address : address.substring(0, 100);
            return new HelpLink(at.value(RoomTable.HELP_TEXT).orElse(shown), address);
        } catch (IllegalArgumentException e) {
            problems.add(at.problem(RoomTable.HELP, String.valueOf(e.getMessage()), "for instance "
                    + RoomTable.HELP.kind().example()));
            return null;
        }
    }
}
