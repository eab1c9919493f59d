package io.entroq.service.http;

import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

/**
 * The server's credentials, and the clients it trusts. Both may be updated at any time; new
 * connections use the current contents.
 *
 * @param keys the server's certificate and key
 * @param clients verifies the certificates of clients; empty if they need none
 */
public record HttpTls(KeyManager keys, Optional<TrustManager> clients) {}
