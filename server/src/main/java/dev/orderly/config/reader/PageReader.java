package dev.orderly.config.reader;

import dev.orderly.config.ConfigProblem;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.RoomSchema;
import dev.orderly.room.RoomName;
import dev.orderly.text.LocalizedText;
import dev.orderly.web.room.page.HelpLink;
import dev.orderly.web.room.page.Logo;
import dev.orderly.web.room.page.PageFile;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Builds waiting pages from their settings and the files that the settings name. */
final class PageReader {
    private final Path folder;
    private final List<ConfigProblem> problems;

    PageReader(Path folder, List<ConfigProblem> problems) {
        this.folder = folder;
        this.problems = problems;
    }

    WaitingPage read(RoomName room, CheckedSection at) {
        LocalizedText title = at.text(RoomSchema.TITLE).orElse(LocalizedText.of(room.value()));
        LocalizedText text = at.text(RoomSchema.TEXT).orElse(null);
        Logo logo = file(at, RoomSchema.LOGO, Logo::read);
        String css = file(at, RoomSchema.CSS, PageFile::css);
        PageTemplate template = file(at, RoomSchema.TEMPLATE, PageTemplate::read);
        HelpLink help = help(at);
        PageLook look = new PageLook(title, text, logo, css == null ? "" : css, help);
        return new WaitingPage(room, look, template == null ? PageTemplate.standard() : template);
    }

    private <T> @Nullable T file(CheckedSection at, KeySpec.Key<Path> key, Function<PageFile, T> read) {
        Path file = at.value(key).map(folder::resolve).map(Path::normalize).orElse(null);
        try {
            return file == null ? null : read.apply(PageFile.of(file));
        } catch (IllegalArgumentException e) {
            problems.add(at.problem(key, String.valueOf(e.getMessage()), "repair it, name another file, or remove "
                    + key.name()));
            return null;
        }
    }

    private @Nullable HelpLink help(CheckedSection at) {
        LocalizedText address = at.text(RoomSchema.HELP).orElse(null);
        if (address == null) {
            if (at.has(RoomSchema.HELP_TEXT) && !at.has(RoomSchema.HELP)) {
                problems.add(at.problem(RoomSchema.HELP_TEXT, "The link has no address",
                        "set help to an address, or remove help-text"));
            }
            return null;
        }
        try {
            return new HelpLink(at.text(RoomSchema.HELP_TEXT).orElse(null), address);
        } catch (IllegalArgumentException e) {
            problems.add(at.problem(RoomSchema.HELP, String.valueOf(e.getMessage()), "for instance "
                    + RoomSchema.HELP.kind().example()));
            return null;
        }
    }
}
