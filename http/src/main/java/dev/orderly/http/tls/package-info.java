/** TLS of listeners: certificates and keys from files, chosen by host name, replaced while connections go on. */
@NullMarked
package dev.orderly.http.tls;

import org.jspecify.annotations.NullMarked;
