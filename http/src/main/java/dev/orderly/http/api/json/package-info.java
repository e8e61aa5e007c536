/** Bodies of requests and answers of the API as JSON. */
@NullMarked
package dev.orderly.http.api.json;

import org.jspecify.annotations.NullMarked;
