package io.entroq.service.tls;

import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.grpc.util.AdvancedTlsX509TrustManager.Verification;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's certificate and key, and the authorities that it trusts to sign clients' certificates.
 * Every new connection uses the current ones, so the files may change while the server runs. Any
 * thread.
 */
public final class ServerTls implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);
  private static final Duration WATCH_INTERVAL = Duration.ofSeconds(10);
  private static final String CERTIFICATE = "--tls-cert";
  private static final String KEY = "--tls-key";
  private static final String CLIENT_CA = "--tls-client-ca";

  /** Arbitrary bytes to sign. */
  private static final byte[] PROBE = {1, 2, 3};

  private final TlsFiles files;
  private final AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
  private final Optional<AdvancedTlsX509TrustManager> clients;
  private final ScheduledExecutorService watcher;
  private PemFile certificate;
  private PemFile key;
  private Optional<PemFile> clientCa = Optional.empty();
  private String lastProblem = "";

  private ServerTls(TlsFiles files) throws TlsException {
    this.files = files;
    clients = files.clientCa().isPresent() ? Optional.of(trust()) : Optional.empty();
    setOwn(PemFile.read(CERTIFICATE, files.certificate()), PemFile.read(KEY, files.key()));
    if (files.clientCa().isPresent()) {
      setClients(PemFile.read(CLIENT_CA, files.clientCa().get()));
    }
    watcher =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "entroq-tls");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Reads the files and watches them for changes.
   *
   * @throws TlsException if the files cannot be used
   */
  public static ServerTls read(TlsFiles files) throws TlsException {
    ServerTls tls = new ServerTls(files);
    ScheduledFuture<?> unused =
        tls.watcher.scheduleWithFixedDelay(
            tls::reload, WATCH_INTERVAL.toNanos(), WATCH_INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
    return tls;
  }

  private static AdvancedTlsX509TrustManager trust() throws TlsException {
    try {
      return AdvancedTlsX509TrustManager.newBuilder()
          // The authority that signed a client's certificate identifies the client, not a host
          // name.
          .setVerification(Verification.CERTIFICATE_ONLY_VERIFICATION)
          .build();
    } catch (GeneralSecurityException e) {
      throw new TlsException("this JVM cannot verify certificates: " + e, e);
    }
  }

  /** The server's certificate and key. */
  public X509ExtendedKeyManager keys() {
    return keys;
  }

  /** Verifies the certificates of clients; empty if they need none. */
  public Optional<X509ExtendedTrustManager> clients() {
    return clients.map(manager -> manager);
  }

  /** Loads changed files; keeps the old contents of unusable ones. */
  synchronized void reload() {
    try {
      PemFile newCertificate = PemFile.read(CERTIFICATE, files.certificate());
      PemFile newKey = PemFile.read(KEY, files.key());
      if (!newCertificate.hasSameBytes(certificate) || !newKey.hasSameBytes(key)) {
        setOwn(newCertificate, newKey);
        LOG.info("Reloaded the server's certificate.");
      }
      if (clientCa.isPresent()) {
        PemFile newClientCa = PemFile.read(CLIENT_CA, clientCa.get().path());
        if (!newClientCa.hasSameBytes(clientCa.get())) {
          setClients(newClientCa);
          LOG.info("Reloaded the certificates of client authorities.");
        }
      }
      lastProblem = "";
    } catch (TlsException e) {
      warn(e);
    }
  }

  /** Logs each problem once: files are often replaced one after the other. */
  private void warn(TlsException e) {
    if (!e.getMessage().equals(lastProblem)) {
      lastProblem = e.getMessage();
      LOG.warn("Keeping the old certificates: {}", e.getMessage());
    }
  }

  private synchronized void setOwn(PemFile newCertificate, PemFile newKey) throws TlsException {
    X509Certificate[] chain = newCertificate.certificates();
    PrivateKey privateKey = newKey.key();
    if (!isPair(privateKey, chain[0].getPublicKey())) {
      throw new TlsException(
          "%s: the key in %s does not match the first certificate in %s"
              .formatted(KEY, newKey.path(), newCertificate.path()));
    }
    keys.updateIdentityCredentials(chain, privateKey);
    certificate = newCertificate;
    key = newKey;
  }

  private synchronized void setClients(PemFile newClientCa) throws TlsException {
    try {
      clients.orElseThrow().updateTrustCredentials(newClientCa.certificates());
    } catch (GeneralSecurityException | IOException e) {
      throw new TlsException("%s: %s: %s".formatted(CLIENT_CA, newClientCa.path(), e), e);
    }
    clientCa = Optional.of(newClientCa);
  }

  /** Whether two keys are a pair: one verifies what the other signs. */
  private static boolean isPair(PrivateKey key, PublicKey other) {
    if (!key.getAlgorithm().equals(other.getAlgorithm())) {
      return false;
    }
    try {
      String algorithm =
          key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256with" + key.getAlgorithm();
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(other);
      signature.update(PROBE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      // Another curve or key length.
      return false;
    }
  }

  /** Stops watching the files. */
  @Override
  public void close() {
    watcher.shutdownNow();
  }
}
