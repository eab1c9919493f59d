package io.entroq.service.http;

import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

/**
 * By what a server is known, and whom it knows. Both may change what they hold meanwhile; new
 * connections go by it.
 *
 * @param keys has the server's certificate and its key
 * @param clients knows the certificates of callers, who have to show one; empty: they need none
 */
public record HttpTls(KeyManager keys, Optional<TrustManager> clients) {}
