/**
 * For implementations of {@link io.entroq.api.EntroQ}: the engine and the client. The types are
 * apart from {@code io.entroq.api} because users do not need them.
 */
package io.entroq.api.spi;
