/** What balancers and Prometheus see of a server. */
@NullMarked
package dev.orderly.server.monitoring;

import org.jspecify.annotations.NullMarked;
