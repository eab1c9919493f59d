package io.entroq.service.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The PEM files of a server.
 *
 * @param certificate the server's certificate and its chain
 * @param key the server's key: unencrypted PKCS #8
 * @param clientCa the authorities that sign clients' certificates; empty if clients need none
 */
public record TlsFiles(Path certificate, Path key, Optional<Path> clientCa) {}
