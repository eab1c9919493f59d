package io.entroq.service.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS for connecting to a server from its own machine: trusts exactly the certificate in the
 * server's file, whatever host name it has, and presents the same one.
 */
public final class SelfTls {
  private static final char[] NO_PASSWORD = new char[0];

  private SelfTls() {}

  /**
   * @param files of the server
   * @throws TlsException if the files cannot be used
   */
  public static SSLContext context(TlsFiles files) throws TlsException {
    X509Certificate[] chain = PemFile.read("--tls-cert", files.certificate()).certificates();
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, NO_PASSWORD);
      store.setKeyEntry("self", PemFile.read("--tls-key", files.key()).key(), NO_PASSWORD, chain);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), new TrustManager[] {new OneCertificate(chain[0])}, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new TlsException("this JVM cannot set up TLS: " + e, e);
    }
  }

  /** Trusts exactly this certificate. */
  private static final class OneCertificate extends X509ExtendedTrustManager {
    private final X509Certificate certificate;

    OneCertificate(X509Certificate certificate) {
      this.certificate = certificate;
    }

    private void check(X509Certificate... chain) throws CertificateException {
      if (chain.length == 0 || !chain[0].equals(certificate)) {
        throw new CertificateException("the server's certificate differs from the one in its file");
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw new CertificateException("this context is for outgoing connections only");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw new CertificateException("this context is for outgoing connections only");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("this context is for outgoing connections only");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[] {certificate};
    }
  }
}
