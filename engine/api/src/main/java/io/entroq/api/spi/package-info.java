/**
 * For implementations of {@link io.entroq.api.EntroQ}: the engine and the client. The one type is
 * apart from {@code io.entroq.api} because users do not need it.
 */
package io.entroq.api.spi;
