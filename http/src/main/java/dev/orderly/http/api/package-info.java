/** The API of the admin listener: looking at jobs and queues, and operating them. */
@NullMarked
package dev.orderly.http.api;

import org.jspecify.annotations.NullMarked;
