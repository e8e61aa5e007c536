package dev.orderly.job.payload;

import dev.orderly.job.Payload;

/** Reader of a further media type, such as multipart forms, for typed handlers. */
public interface PayloadReader {
    /** @param mediaType without parameters, in lower case, such as {@code multipart/form-data} */
    boolean reads(String mediaType);

    /**
     * The content as maps, lists, strings, numbers and byte arrays; Jackson converts them to the handler's type.
     *
     * @throws IllegalArgumentException if the content is malformed; the message becomes part of the dead letter
     */
    Object read(Payload payload);
}
