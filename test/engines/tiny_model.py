"""Makes a tiny Llama with random weights: tiny_model.py DIRECTORY. The same bytes whenever it runs."""

import json
import random
import sys
from pathlib import Path

import numpy
from safetensors.numpy import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

# Small and many layers: a step costs the same for one sequence as for sixteen, as on a GPU.
HIDDEN, INNER, LAYERS, HEADS, LENGTH = 64, 128, 24, 2, 4096
SPECIAL = ["<unk>", "<s>", "</s>", "<|system|>", "<|user|>", "<|assistant|>"]
TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}</s>\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def write(name, value):
    (folder / name).write_text(json.dumps(value, indent=2) + "\n")


def sentences():
    """Pronounceable nonsense, and numbers: enough pairs for two thousand merges."""
    draw = random.Random(11)
    syllable = lambda: draw.choice("bcdfghklmnprstvwz") + draw.choice("aeiou") + draw.choice(["", "n", "r", "s"])
    words = ["".join(syllable() for _ in range(draw.randint(1, 4))) for _ in range(1500)]
    for _ in range(3000):
        yield " ".join(draw.choice(words) for _ in range(draw.randint(4, 16))) + draw.choice(".?!,\n")
    for _ in range(300):
        yield " ".join(str(draw.randint(0, 9999)) for _ in range(8))


tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.decoder = decoders.ByteLevel()
tokenizer.train_from_iterator(
    sentences(),
    trainers.BpeTrainer(
        vocab_size=2048,
        special_tokens=SPECIAL,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    ),
)
tokenizer.save(str(folder / "tokenizer.json"))
# Every id that the weights can choose must have a text.
vocabulary = tokenizer.get_vocab_size()

write(
    "config.json",
    {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_act": "silu",
        "hidden_size": HIDDEN,
        "intermediate_size": INNER,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": HEADS,
        "head_dim": HIDDEN // HEADS,
        "max_position_embeddings": LENGTH,
        "vocab_size": vocabulary,
        "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0,
        "tie_word_embeddings": False,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "pad_token_id": 0,
        "dtype": "float32",
    },
)
write("generation_config.json", {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0})
write(
    "tokenizer_config.json",
    {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": LENGTH,
        "bos_token": "<s>",
        "eos_token": "</s>",
        "unk_token": "<unk>",
        "pad_token": "<unk>",
        "clean_up_tokenization_spaces": False,
        "chat_template": TEMPLATE,
    },
)

draw = numpy.random.default_rng(5)
normal = lambda *shape: (draw.standard_normal(shape) * 0.05).astype(numpy.float32)
ones = lambda: numpy.ones(HIDDEN, numpy.float32)
tensors = {"model.embed_tokens.weight": normal(vocabulary, HIDDEN), "lm_head.weight": normal(vocabulary, HIDDEN)}
tensors["model.norm.weight"] = ones()
for layer in range(LAYERS):
    at = f"model.layers.{layer}."
    for name in "qkvo":
        tensors[f"{at}self_attn.{name}_proj.weight"] = normal(HIDDEN, HIDDEN)
    for name in ("gate", "up"):
        tensors[f"{at}mlp.{name}_proj.weight"] = normal(INNER, HIDDEN)
    tensors[f"{at}mlp.down_proj.weight"] = normal(HIDDEN, INNER)
    tensors[f"{at}input_layernorm.weight"] = ones()
    tensors[f"{at}post_attention_layernorm.weight"] = ones()
save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
