/**
 * What every handler of the edge gets: the request with its path and host read once, and the address of its client.
 */
@NullMarked
package dev.orderly.web.edge;

import org.jspecify.annotations.NullMarked;
