package dev.orderly.job;

/** Reads one more kind of content into fields, so that typed handlers can take it; such as multipart forms. */
public interface PayloadReader {
    /** @param mediaType without parameters, in lower case, such as {@code multipart/form-data} */
    boolean reads(String mediaType);

    /**
     * The content as maps, lists, strings, numbers and byte arrays, ready to be converted to the handler's type.
     *
     * @throws IllegalArgumentException saying what is wrong with the content
     */
    Object read(Payload payload);
}
