/**
 * The configuration: for each part of the file one type with its keys, their values, how these are read and which rules
 * hold between them. {@link dev.orderly.config.Config} is the whole file.
 */
@NullMarked
package dev.orderly.config;

import org.jspecify.annotations.NullMarked;
