package ganglion;

import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.cjk.CJKWidthFilter;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.elasticsearch.ElasticsearchException;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.AbstractIndexAnalyzerProvider;
import org.elasticsearch.index.analysis.AnalyzerProvider;
import org.elasticsearch.index.analysis.NormalizingTokenFilterFactory;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;

/**
 * Gives the stripped distribution back what the full one has in analysis-common, from Lucene's own classes, under the
 * same names and with the same defaults: the `english` analyzer, the filters `asciifolding`, `cjk_width` and `cjk_bigram`, and
 * the `stemmer` filter with the languages `english` and `possessive_english`. For development only.
 */
public final class DevAnalysisPlugin extends Plugin implements AnalysisPlugin {
    /**
     * Elasticsearch 9.5.3 hangs when the first two of its exceptions are needed by two threads at once, such
     * as a version conflict while an index is closed: their classes wait for each other. Here one thread loads them all.
     */
    public DevAnalysisPlugin() {
        new ElasticsearchException("loaded at start");
    }

    @Override
    public Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> getAnalyzers() {
        return Map.of("english", (index, env, name, settings) -> new AbstractIndexAnalyzerProvider<EnglishAnalyzer>(name) {
            private final EnglishAnalyzer analyzer = new EnglishAnalyzer();

            @Override
            public EnglishAnalyzer get() {
                return analyzer;
            }
        });
    }

    @Override
    public Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
        return Map.of(
            "asciifolding", (index, env, name, settings) -> folding(name, settings),
            "cjk_bigram", (index, env, name, settings) -> bigrams(name, settings.getAsBoolean("output_unigrams", false)),
            "cjk_width", (index, env, name, settings) -> filter(name, CJKWidthFilter::new),
            "stemmer", AnalysisPlugin.requiresAnalysisSettings((index, env, name, settings) -> stemmer(name, settings)));
    }

    private static TokenFilterFactory folding(String name, Settings settings) {
        boolean preserveOriginal = settings.getAsBoolean("preserve_original", false);
        return new NormalizingTokenFilterFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public TokenStream create(TokenStream tokens) {
                return new ASCIIFoldingFilter(tokens, preserveOriginal);
            }

            @Override
            public TokenStream normalize(TokenStream tokens) {
                return new ASCIIFoldingFilter(tokens, false);
            }
        };
    }

    private static TokenFilterFactory bigrams(String name, boolean withCharacters) {
        int all = CJKBigramFilter.HAN | CJKBigramFilter.HIRAGANA | CJKBigramFilter.KATAKANA | CJKBigramFilter.HANGUL;
        return filter(name, tokens -> new CJKBigramFilter(tokens, all, withCharacters));
    }

    private static TokenFilterFactory stemmer(String name, Settings settings) {
        String language = settings.get("language", settings.get("name", "porter"));
        UnaryOperator<TokenStream> filter = switch (language) {
            case "english", "porter" -> PorterStemFilter::new;
            case "possessive_english" -> EnglishPossessiveFilter::new;
            default -> throw new IllegalArgumentException("The development plugin has no stemmer for " + language);
        };
        return filter(name, filter);
    }

    private static TokenFilterFactory filter(String name, UnaryOperator<TokenStream> filter) {
        return new TokenFilterFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public TokenStream create(TokenStream tokens) {
                return filter.apply(tokens);
            }
        };
    }
}
