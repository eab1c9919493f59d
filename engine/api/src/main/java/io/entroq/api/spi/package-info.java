/**
 * For those who implement {@link io.entroq.api.EntroQ}: the engine and the client. One type, apart
 * from {@code io.entroq.api} so that users do not meet it.
 */
package io.entroq.api.spi;
