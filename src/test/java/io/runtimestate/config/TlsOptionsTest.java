package io.runtimestate.config;

import static io.runtimestate.config.Invalid.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.JksOptions;
import io.vertx.core.net.KeyStoreOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.TrustOptions;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TlsOptionsTest {
  private static final String MARKER = "s3cr3t";

  @Test
  @DisplayName("C016 TLS settings with a plain scheme are refused, naming both")
  void tls_needsSecureScheme() {
    for (String plain : List.of("redis://h", "unix:///s")) {
      assertInvalid(withTls(plain)::validate).contains("redis.tls", "redis.url");
    }
    assertThat(withTls("rediss://h").validate()).isNotNull();
    RuntimeStateOptions mixed = withTls("rediss://h");
    mixed.getRedis().addEndpoint("redis://i");
    assertInvalid(mixed::validate).contains("redis.tls", "redis.endpoints");
    RuntimeStateOptions none = new RuntimeStateOptions();
    none.getRedis().setUrl("rediss://h");
    assertThat(none.validate()).isNotNull();
  }

  @Test
  void tls_everyKindOfMaterialSurvivesJsonAndIsNotShown() {
    JksOptions jks = new JksOptions().setPath("a").setPassword(MARKER);
    PfxOptions pfx = new PfxOptions().setValue(Buffer.buffer("b")).setPassword(MARKER);
    KeyStoreOptions store = new KeyStoreOptions().setType("X").setPassword(MARKER);
    PemKeyCertOptions pem = new PemKeyCertOptions().addKeyValue(Buffer.buffer(MARKER));
    PemTrustOptions pemTrust = new PemTrustOptions().addCertPath(MARKER);
    List.of(
            new ClientSSLOptions().setKeyCertOptions(jks).setTrustOptions(pfx),
            new ClientSSLOptions().setKeyCertOptions(pfx).setTrustOptions(jks),
            new ClientSSLOptions().setKeyCertOptions(store).setTrustOptions(store),
            new ClientSSLOptions().setKeyCertOptions(pem).setTrustOptions(pemTrust),
            new ClientSSLOptions().setTrustAll(true).setHostnameVerificationAlgorithm("HTTPS"))
        .forEach(TlsOptionsTest::assertSurvives);
  }

  private static void assertSurvives(ClientSSLOptions tls) {
    RedisOptions redis = new RedisOptions().setTls(tls);
    RedisOptions back = new RedisOptions(new JsonObject(redis.toJsonWithSecrets().encode()));
    assertThat(back)
        .isEqualTo(redis)
        .isNotEqualTo(new RedisOptions().setTls(new ClientSSLOptions()));
    assertThat(back.getTls().getKeyCertOptions()).isEqualTo(tls.getKeyCertOptions());
    assertThat(back.getTls().getTrustOptions()).isEqualTo(tls.getTrustOptions());
    assertThat(new RedisOptions(redis)).isEqualTo(redis);
    assertThat(redis.toString() + redis.toJson())
        .doesNotContain(MARKER)
        .doesNotContain(Buffer.buffer(MARKER).toJson())
        .contains("sslHandshakeTimeout");
  }

  @Test
  void tls_materialWithoutJsonIsRefusedRatherThanLost() {
    ClientSSLOptions tls = new ClientSSLOptions().setTrustOptions(TrustOptions.wrap(new NoTrust()));
    assertInvalid(new RedisOptions().setTls(tls)::toJsonWithSecrets).contains("redis.tls");
  }

  @Test
  void tls_oneSourceOfKeys() {
    JsonObject tls =
        new JsonObject()
            .put("pemKeyCertOptions", new JsonObject())
            .put("pfxKeyCertOptions", new JsonObject());
    assertInvalid(() -> new RedisOptions(new JsonObject().put("tls", tls))).contains("redis.tls");
  }

  @Test
  void tls_nestedNamesAreChecked() {
    JsonObject pem = new JsonObject().put("keyPath", MARKER);
    JsonObject tls = new JsonObject().put("pemKeyCertOptions", pem);
    assertInvalid(() -> new RedisOptions(new JsonObject().put("tls", tls)))
        .contains("redis.tls.pemKeyCertOptions.keyPath")
        .doesNotContain(MARKER);
  }

  private static RuntimeStateOptions withTls(String url) {
    RuntimeStateOptions options = new RuntimeStateOptions();
    options.getRedis().setUrl(url).setTls(new ClientSSLOptions().setTrustAll(true));
    return options;
  }

  private static final class NoTrust implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
