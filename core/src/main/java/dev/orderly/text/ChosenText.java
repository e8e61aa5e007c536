package dev.orderly.text;

import org.jspecify.annotations.Nullable;

/**
 * The text of a {@link LocalizedText} for one reader.
 *
 * @param language the BCP 47 tag of the text's language; null if unknown
 */
public record ChosenText(String text, @Nullable String language) {}
