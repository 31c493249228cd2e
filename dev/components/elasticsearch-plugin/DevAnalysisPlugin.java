package ganglion;

import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.elasticsearch.index.analysis.AbstractIndexAnalyzerProvider;
import org.elasticsearch.index.analysis.AnalyzerProvider;
import org.elasticsearch.index.analysis.NormalizingTokenFilterFactory;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;

/**
 * Gives the stripped distribution back what the full one has in analysis-common, from Lucene's own classes and with
 * the same defaults: the `english` analyzer and the `asciifolding` filter. For development only.
 */
public final class DevAnalysisPlugin extends Plugin implements AnalysisPlugin {
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
        return Map.of("asciifolding", (index, env, name, settings) -> new NormalizingTokenFilterFactory() {
            private final boolean preserveOriginal = settings.getAsBoolean("preserve_original", false);

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
        });
    }
}
