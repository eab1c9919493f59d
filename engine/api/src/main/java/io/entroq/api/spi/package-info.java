/**
 * For those who implement {@link io.entroq.api.EntroQ}: the engine and the client. One type, apart
 * from {@code io.entroq.api} because users should not meet it.
 */
package io.entroq.api.spi;
