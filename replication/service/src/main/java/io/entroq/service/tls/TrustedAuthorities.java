package io.entroq.service.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** TLS for connecting to others: trusts the JVM's authorities and those of a file. */
public final class TrustedAuthorities {
  private static final char[] NO_PASSWORD = new char[0];

  private TrustedAuthorities() {}

  /**
   * @param flag that names the file
   * @param file certificates, PEM
   * @throws TlsException if the file cannot be used
   */
  public static SSLContext context(String flag, Path file) throws TlsException {
    X509Certificate[] added = PemFile.read(flag, file).certificates();
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, NO_PASSWORD);
      int number = 0;
      for (X509Certificate authority : added) {
        store.setCertificateEntry("added-" + number++, authority);
      }
      for (TrustManager standard : managers(null)) {
        if (standard instanceof X509TrustManager authorities) {
          for (X509Certificate authority : authorities.getAcceptedIssuers()) {
            store.setCertificateEntry("standard-" + number++, authority);
          }
        }
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers(store), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new TlsException("this JVM cannot set up TLS: " + e, e);
    }
  }

  /** Managers that trust what is in a store; null: the JVM's own. */
  private static TrustManager[] managers(KeyStore store) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }
}
