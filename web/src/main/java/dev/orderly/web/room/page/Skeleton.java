package dev.orderly.web.room.page;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A rendered template, split at the positions of slots. */
final class Skeleton {
    private final byte[][] parts;
    private final TemplateSlot[] slots;

    private Skeleton(byte[][] parts, TemplateSlot[] slots) {
        this.parts = parts;
        this.slots = slots;
    }

    /** @param page a template's output, with the marks of slots in it */
    static Skeleton cut(String page) {
        List<byte[]> parts = new ArrayList<>();
        List<TemplateSlot> slots = new ArrayList<>();
        int from = 0;
        for (int mark = page.indexOf(TemplateSlot.MARK); mark >= 0; mark = page.indexOf(TemplateSlot.MARK, from)) {
            parts.add(page.substring(from, mark).getBytes(StandardCharsets.UTF_8));
            int end = page.indexOf(TemplateSlot.MARK, mark + 1);
            slots.add(TemplateSlot.marked(page.substring(mark + 1, end)));
            from = end + 1;
        }
        parts.add(page.substring(from).getBytes(StandardCharsets.UTF_8));
        return new Skeleton(parts.toArray(byte[][]::new), slots.toArray(TemplateSlot[]::new));
    }

    byte[] fill(SlotValues values) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        for (TemplateSlot slot : slots) {
            length += values.get(slot).length;
        }
        byte[] page = new byte[length];
        int at = copy(parts[0], page, 0);
        for (int i = 0; i < slots.length; i++) {
            at = copy(values.get(slots[i]), page, at);
            at = copy(parts[i + 1], page, at);
        }
        return page;
    }

    private static int copy(byte[] from, byte[] to, int at) {
        System.arraycopy(from, 0, to, at, from.length);
        return at + from.length;
    }
}
